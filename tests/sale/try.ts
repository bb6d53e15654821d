import { saleRun } from '/work/wt/lead/tests/sale/sale-run.ts';
import { judge } from '/work/wt/lead/tests/sale/judge-sale.ts';
const kills = Number(process.argv[2] ?? 0),
  buyers = Number(process.argv[3] ?? 100);
const report = await saleRun({
  buyers,
  kills,
  seed: 1,
  supply: { tickets: [20, 20, 10], capacity: 45, redemptions: 10, seats: 4 },
  expiries: false,
  progress: (l) => console.log(new Date().toISOString().slice(11, 19), l),
});
console.log(JSON.stringify(report, null, 1));
console.log(judge(report));
