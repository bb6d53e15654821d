// Preloaded into each process that the platform starts: when the parent is gone, however it ended, so is the process.
import process from 'node:process';

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
