import { priceCart, priceOffering } from '/work/main/services/pricing/src/domain/price.ts';
import { CompanySnapshot } from '/work/main/services/pricing/src/domain/snapshot.ts';
import { encodeEvaluation } from '/work/main/services/pricing/src/domain/encode-evaluation.ts';
import { anAdjustment, OPTIONS, aRequest, targeting } from '/work/main/services/pricing/src/domain/adjustments.fixture.ts';
const t=(l:string,f:()=>unknown)=>{f();const s=performance.now();f();console.log(l,(performance.now()-s).toFixed(1),'ms')};
const cart=(n:number)=>({lines:Array.from({length:n},(_,i)=>({offering:{id:'o'+i,eventId:'e',price:{amount:1000+i,currency:'EUR'}},quantity:3})),cartContext:{}});
const rep=(n:number,cats:number,perOrder:(i:number)=>boolean)=>Array.from({length:n},(_,i)=>anAdjustment({id:'a'+i,category:'c'+i%cats,stacking:'replace-within-category',effectBase:i%2?'current-price':'list-price',effect:{kind:'percentage_off',percent:1+(i*7%50)/10,per:perOrder(i)?'order':'unit'}}));
for (const [n,c] of [[500,1],[500,250],[500,50],[10000,1],[10000,5000]] as const) for (const L of [1,10,500]) for (const o of [0,1,2]) {
 if (n===10000 && L===500) continue;
 const s=new CompanySnapshot(rep(n,c,i=>o===1? i%3===0 : o===2));
 t(`${n} competitors in ${c} categories, ${L} lines, ${['unit','mixed','order'][o]}`,()=>priceCart(s,cart(L),{...OPTIONS,dropped:'candidates'}));
}
const coded=new CompanySnapshot(Array.from({length:10000},(_,i)=>anAdjustment({id:'a'+i,conditions:{code:'C'+i}})));
t('10,000 codes not presented',()=>priceOffering(coded,aRequest(1000),{...OPTIONS,dropped:'candidates'}));
const excl=new CompanySnapshot(Array.from({length:500},(_,i)=>anAdjustment({id:'a'+i,stacking:'exclusive'})));
t('500 exclusives 500 lines',()=>priceCart(excl,cart(500),{...OPTIONS,dropped:'candidates'}));
const mm=new CompanySnapshot(Array.from({length:10000},(_,i)=>anAdjustment({id:'a'+i,targets:[targeting('event/x')]})));
const ev=priceOffering(mm,aRequest(1000),OPTIONS);
for(let i=0;i<3;i++){t('encode',()=>encodeEvaluation(ev));t('stringify',()=>JSON.stringify(ev));}
console.log(encodeEvaluation(ev).length);
t('load 10,000',()=>new CompanySnapshot(rep(10000,5,()=>false)).candidates([]));
const big=new CompanySnapshot(rep(10000,5,()=>false));
for(let i=0;i<3;i++)t('write+order',()=>{big.apply([anAdjustment({id:'a5'})]);big.candidates([])});
