// Preloaded into a process: it exits when its parent is gone, however that ended.
import process from 'node:process';

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
