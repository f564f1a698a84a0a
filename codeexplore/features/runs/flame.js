const bytes=Uint8Array.from(atob(this.src.split(',')[1]),c=>c.charCodeAt(0));
const drawing=new DOMParser().parseFromString(new TextDecoder().decode(bytes),'image/svg+xml').documentElement;
if(drawing.nodeName!=='svg')return;
const svg=document.importNode(drawing,true);
this.replaceWith(svg);
svg.onclick=svg.onkeydown=svg.onfocus=event=>{
const t=event.target,all=[...svg.querySelectorAll('g.ce-f')];if(!all.length)return;
const n=(g,k)=>+g.dataset[k],by=new Map(all.map(g=>[g.dataset.n,g]));
let at=by.get(svg.dataset.at)||all[0];
const choose=g=>{if(!g)return;all.forEach(o=>o.firstElementChild.removeAttribute('stroke-width'));
g.firstElementChild.setAttribute('stroke-width','3');svg.dataset.at=g.dataset.n;
svg.parentElement.parentElement.querySelector('.ce-flame-said').textContent=g.querySelector('title').textContent};
const zoom=g=>{const W=+svg.dataset.width,x0=g?n(g,'x'):0,w0=g?n(g,'w'):1;all.forEach(o=>{
const x=Math.max(0,(n(o,'x')-x0)/w0),e=Math.min(1,(n(o,'x')+n(o,'w')-x0)/w0),w=(e-x)*W;
o.style.display=w<0.5?'none':'';const r=o.firstElementChild,s=o.querySelector('text');
r.setAttribute('x',x*W);r.setAttribute('width',Math.max(0.5,w-0.5));s.setAttribute('x',x*W+4);
s.textContent=w<26?'':(s.dataset.l.length*7>w-8?s.dataset.l.slice(0,Math.max(1,Math.floor((w-8)/7)-1))+'…':s.dataset.l)})};
const kin=all.filter(o=>o.dataset.p===at.dataset.p).sort((a,b)=>n(a,'x')-n(b,'x')),i=kin.indexOf(at);
if(event.type==='click'){const g=t.closest('g.ce-f');if(g){choose(g);zoom(g)}else zoom(null);return}
if(event.type==='focus'){choose(at);return}
const k=event.key;let done=true;
if(k==='ArrowDown')choose(all.filter(o=>o.dataset.p===at.dataset.n).sort((a,b)=>n(b,'w')-n(a,'w'))[0]);
else if(k==='ArrowUp')choose(by.get(at.dataset.p));
else if(k==='ArrowRight')choose(kin[i+1]);else if(k==='ArrowLeft')choose(kin[i-1]);
else if(k==='Enter'||k===' ')zoom(at);else if(k==='Escape')zoom(null);else done=false;
if(done)event.preventDefault()
};
