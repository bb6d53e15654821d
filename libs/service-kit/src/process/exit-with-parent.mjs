// Preloaded into a process: it exits when its parent is gone, however that ended.
import process from 'node:process';

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

// In Node's watch mode the parent is Node's watcher, which outlives the supervisor. The supervisor's end of standard
// input does not, and the watcher ends this process with itself.
if (process.execArgv.includes('--watch-preserve-output')) {
  process.stdin.on('end', () => process.kill(process.ppid, 'SIGTERM')).resume();
  process.stdin.unref();
}
