// Preloaded into each process of the platform in fault runs: at SIGWINCH its wall clock jumps an hour ahead, at the
// next SIGWINCH back, as if somebody had set the machine's clock. The process's title shows the current state.
// JavaScript reads the wall clock only through Date; the monotonic clock (performance.now, timers) is not affected, as
// when a real clock is set.
import process from 'node:process';

const HOUR_MS = 60 * 60 * 1000;
const RealDate = globalThis.Date;
let aheadMs = 0;

process.on('SIGWINCH', () => {
  aheadMs = aheadMs === 0 ? HOUR_MS : 0;
  process.title = aheadMs === 0 ? 'clock right' : 'clock ahead';
});

const now = () => RealDate.now() + aheadMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
});
RealDate.prototype.constructor = globalThis.Date;
