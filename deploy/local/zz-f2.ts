import mongoose from 'mongoose';
import { execSync } from 'node:child_process';
const root = process.argv[3]!; const mode = process.argv[4];
const c = await new mongoose.mongo.MongoClient(process.argv[2]!, { serverSelectionTimeoutMS: 20000, monitorCommands: true }).connect();
const t0 = Date.now(); const log: string[] = []; const L = (s: string) => log.push((Date.now() - t0) + ' ' + s);
const e = c.db('f').collection<{ _id: string; n: number }>('x' + Date.now());
await e.insertOne({ _id: 'a', n: 0 });
let on = true, acks = 0;
c.on('commandFailed', (x) => L('failed ' + x.commandName + ' conn ' + x.connectionId + ' ' + x.failure.message));
c.on('serverHeartbeatFailed', (x) => L('hb failed ' + x.failure.message)); c.on('serverHeartbeatSucceeded', () => L('hb ok')); c.on('connectionPoolCleared', () => L('pool cleared')); c.on('connectionReady', (x) => L('conn ready ' + x.connectionId)); c.on('serverDescriptionChanged', (x) => L('server ' + x.previousDescription.type + '->' + x.newDescription.type));
const w = Array.from({ length: 8 }, async (_, k) => { while (on) { try { if (k > 5) await c.withSession(s => s.withTransaction(async () => { await e.updateOne({ _id: 'b' }, { $inc: { n: 1 } }, { session: s, upsert: true }); await e.updateOne({ _id: 'c' }, { $inc: { n: 1 } }, { session: s, upsert: true }); })); else { const t = Date.now(); await e.updateOne({ _id: 'a' }, { $inc: { n: 1 } }); acks++; if (Date.now() - t > 2000) L('slow op ' + (Date.now() - t)); } } catch (x) { L('ERROR worker ' + k + ' ' + (x as Error).message); } } });
await new Promise((r) => setTimeout(r, 1000)); log.length = 0; L('kill');
for (let round = 0; round < 4; round++) {
const pids = execSync(`ps -eo pid,args | grep 'postgres: postgres postgres' | grep -v grep | awk '{print $1}'`).toString().trim().split('\n');
const mine = pids.filter((p) => { let q = p; for (let d = 0; d < 6; d++) { try { q = execSync(`awk '{print $4}' /proc/${q}/stat`).toString().trim(); } catch { return false; } if (q === root) return true; if (q === '0' || q === '1') return false; } return false; });
if (mine[0]) process.kill(Number(mine[0]), 'SIGKILL'); L('--- killed, acks ' + acks);
await new Promise((r) => setTimeout(r, 2500)); }
await new Promise((r) => setTimeout(r, 4000)); on = false; setTimeout(() => { console.log(log.slice(0, 400).join('\n')); process.exit(); }, 1500);
await Promise.all(w); L('acks ' + acks + ' n ' + (await e.findOne({ _id: 'a' }))?.n);
