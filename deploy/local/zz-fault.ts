import mongoose from 'mongoose';
import { startInfrastructure } from './infrastructure.ts';
import { execSync } from 'node:child_process';
import { createConnection } from 'node:net';
const env = { ...process.env }; delete env['MONGO_URL']; delete env['NATS_URL']; delete env['REDIS_URL'];
const infra = await startInfrastructure({ dataDir: '/tmp/w/fault', env, progress: (l) => console.log('  ', l) });
const c = await new mongoose.mongo.MongoClient(infra.mongoUrl, { serverSelectionTimeoutMS: 20000 }).connect();
const e = c.db('f').collection<{ _id: string; n: number }>('x' + Date.now());
await e.insertOne({ _id: 'a', n: 0 });
let acks = 0, errors: Record<string, number> = {}, errorCount = 0, on = true, maxMs = 0, txns = 0, txnErrors = 0;
await e.insertMany([{_id:'from',n:0},{_id:'to',n:0}]);
const workers = Array.from({ length: 8 }, async (_, k) => {
  while (on) {
    const t = Date.now();
    try {
      if (k < 6) { await e.updateOne({ _id: 'a' }, { $inc: { n: 1 } }); acks++; }
      else { await c.withSession(s => s.withTransaction(async () => { await e.updateOne({_id:'from'},{$inc:{n:-1}},{session:s}); await e.updateOne({_id:'to'},{$inc:{n:1}},{session:s}); })); txns++; }
    } catch (x) { const m = (x as Error).message.replace(/connection \d+/,'connection').slice(0, 60); errors[m] = (errors[m] ?? 0) + 1; if (k<6) errorCount++; else txnErrors++; }
    maxMs = Math.max(maxMs, Date.now() - t);
  }
});
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
const check = async (label: string) => { await wait(1500); const t = Date.now(); const n = (await e.findOne({ _id: 'a' }))?.n ?? -1; console.log(label, 'acks', acks, 'n', n, 'find took', Date.now() - t, 'errors', errors, 'slowest', maxMs); maxMs = 0; };
await check('start');
for (let i = 0; i < 3; i++) { await infra.servers.mongo.kill9(); await wait(300); const t = Date.now(); await infra.servers.mongo.restart(); console.log('restart took', Date.now() - t); await check('after kill9+restart'); }
for (let i = 0; i < 3; i++) {
  const pids = execSync(`ps -eo pid,args | grep 'postgres: postgres postgres' | grep -v grep | awk '{print $1}'`).toString().trim().split('\n');
  // only backends of this instance
  const mine = pids.filter((p) => { let q = p; for (let d = 0; d < 6; d++) { q = execSync(`awk '{print $4}' /proc/${q}/stat`).toString().trim(); if (q === String(process.pid)) return true; if (q === '0' || q === '1') return false; } return false; });
  if (mine[0]) process.kill(Number(mine[0]), 'SIGKILL');
  await check('after a backend was killed (' + mine.length + ' backends)');
}
await infra.servers.mongo.pause(); await wait(1000); await infra.servers.mongo.resume(); await check('after pause of 1 s');
const probe = (url: string) => new Promise<string>((r) => { const u = new URL(url); const s = createConnection(Number(u.port), u.hostname); s.setTimeout(500, () => { s.destroy(); r('silent'); }); s.on('connect', () => s.write('PING\r\n')); s.on('data', (d) => { s.destroy(); r(d.toString().slice(0, 6).trim()); }); s.on('error', (x) => r(x.message.slice(0, 20))); });
for (const [n, url] of [['nats', infra.natsUrl], ['redis', infra.redisUrl]] as const) {
  const s = infra.servers[n]; console.log(n, await probe(url)); await s.pause(); console.log(' paused', await probe(url)); await s.resume(); console.log(' resumed', await probe(url)); await s.kill9(); console.log(' killed', await probe(url)); const t = Date.now(); await s.restart(); console.log(' restarted', await probe(url), Date.now() - t, 'ms');
}
on = false; await Promise.all(workers);
const n = (await e.findOne({ _id: 'a' }))!.n; const to = (await e.findOne({ _id: 'to' }))!.n, from=(await e.findOne({ _id: 'from' }))!.n;
console.log({ acks, n, errorCount, exactly: n >= acks && n <= acks + errorCount, txns, to, from, txnErrors, txnOk: to === -from && to >= txns && to <= txns + txnErrors });
await c.close(); const t = Date.now(); await infra.stop(); console.log('stopped in', Date.now() - t);
