var Ie=`/* Colours for the theme at hand: each is mixed with the colour that the host gives to text, so that it is dark on light
   and light on dark in every host, with high contrast too. Where a host removes style sheets, the literal inline colours
   of the results stand, which read on both. */
.codeexplore .ck { --ce:#a54be5 } .codeexplore .cs { --ce:#0f8b39 } .codeexplore .cm { --ce:#c75605 }
.codeexplore .cn { --ce:#1773f3 } .codeexplore .ct { --ce:#048591 } .codeexplore .cd { --ce:#da3085 }
.codeexplore .ce-place { --ce:#318293 } .codeexplore .ce-warning { --ce:#e23333 }
.codeexplore :is(.cc,.ce-n,.ce-dim,.ce-copy), .codeexplore .ce-fusion-chart text { --ce:#75787f }
.codeexplore :is(.ck,.cs,.cc,.cm,.cn,.ct,.cd,.ce-n,.ce-dim,.ce-copy,.ce-place,.ce-warning) {
  color:color-mix(in oklab,var(--ce) 64%,currentColor) !important }
.codeexplore .ce-fusion-chart text { fill:color-mix(in oklab,var(--ce) 64%,currentColor) }
.codeexplore .ce-n { user-select:none }
.codeexplore summary { cursor:pointer }
.codeexplore summary:focus-visible { outline:2px solid #1773f3 }
.codeexplore table tbody tr:hover { background:transparent !important }
.codeexplore mark { color:inherit !important; background:rgba(255,193,7,.1) !important;
  box-shadow:inset 0 -2px #c98a00 }
.codeexplore a.ce-place { text-decoration:none } .codeexplore a.ce-place:hover { text-decoration:underline }
.codeexplore a.ce-place:focus-visible, .codeexplore .ce-copy:focus-visible { outline:2px solid #1773f3 }
/* a host that removes scripts leaves no button without effect */
.codeexplore .ce-copy[onclick] { display:inline !important } .codeexplore .ce-copy { font:11px system-ui,sans-serif; cursor:pointer;
  background:none; border:1px solid #8886; border-radius:4px; padding:0 5px; margin-left:6px }
.codeexplore .ce-copy:hover { border-color:currentColor }
.codeexplore .ce-code { position:relative } .codeexplore .ce-code > .ce-copy { position:absolute; right:6px; top:10px;
  background:var(--jp-layout-color1,var(--vscode-editor-background,var(--background,Canvas))) }
.codeexplore .ce-box { cursor:pointer } .codeexplore .ce-box:hover rect { stroke:#f2a600; stroke-width:3 }
.codeexplore .ce-move { cursor:help; outline:none }
.codeexplore .ce-move:hover line, .codeexplore .ce-move:focus line { stroke-width:4 }
.codeexplore .ce-move:hover text, .codeexplore .ce-move:focus text { font-weight:bold; text-decoration:underline }
.codeexplore .ce-spinner { display:inline-block; width:10px; height:10px; margin-right:7px; border-radius:50%;
  border:2px solid #8886; border-top-color:#1773f3; animation:ce-turn .8s linear infinite; vertical-align:-1px }
@keyframes ce-turn { to { transform:rotate(360deg) } }
@media (prefers-reduced-motion: reduce) { .codeexplore .ce-spinner { animation:none } }
/* beside the place that floats before it, not under it: all of it can be pressed */
.codeexplore summary { overflow:hidden } .codeexplore summary:focus-visible { outline-offset:-2px }
`;var He=`.ce-root {
  /* JupyterLab and Notebook, then VS Code, then marimo, then neither */
  --bg: var(--jp-layout-color0, var(--vscode-editor-background, var(--background, light-dark(#fff, #181818))));
  --fg: var(--jp-content-font-color1, var(--vscode-editor-foreground, var(--foreground, light-dark(#222, #ddd))));
  --dim: color-mix(in srgb, var(--fg) 74%, var(--bg));
  --line: var(--jp-border-color2, var(--vscode-panel-border, var(--border, light-dark(#ccc, #444))));
  --hot: light-dark(#0b57c4, #8ab8ff);
  --bm25: #2773ed;
  --embedding: #b56305;
  --graph: #078968;
  --signal: #a258c7;
  position: relative;
  background: var(--bg);
  color: var(--fg);
  font:
    13px/1.45 system-ui,
    sans-serif;
  padding: 8px 12px;
  border: 1px solid var(--line);
  border-radius: 8px;
  max-width: 1720px;
  text-align: left;
}
.ce-root,
.ce-root * {
  box-sizing: border-box;
}
.ce-root [hidden] {
  display: none !important;
}
.ce-root small,
.ce-dim {
  color: var(--dim);
  font-size: 12px;
}
.ce-root p {
  margin: 3px 0;
}
.ce-row {
  display: flex;
  flex-flow: row wrap;
  gap: 4px 10px;
  align-items: center;
}
.ce-heading {
  justify-content: space-between;
  margin-bottom: 6px;
}
.ce-title {
  font-size: 14px;
  overflow-wrap: anywhere;
}
.ce-root button,
.ce-root input,
.ce-root select,
.ce-root textarea {
  font: inherit;
  color: var(--fg);
  background: var(--bg);
  border: 1px solid var(--line);
  border-radius: 4px;
  padding: 2px 8px;
  max-width: 100%;
}
.ce-root button {
  cursor: pointer;
}
.ce-root button:hover {
  border-color: var(--fg);
}
.ce-root button:disabled,
.ce-root input:disabled {
  opacity: 0.6;
  cursor: default;
}
.ce-root button[aria-pressed="true"] {
  font-weight: 600;
  box-shadow: inset 0 -2px var(--bm25);
}
.ce-root input[type="number"] {
  width: 64px;
}
.ce-root input[type="range"] {
  width: 84px;
  padding: 0;
}
.ce-root input[type="checkbox"] {
  margin: 0;
  vertical-align: -2px;
}
.ce-root :focus-visible {
  outline: 2px solid var(--hot);
  outline-offset: 1px;
}
.ce-ask {
  position: relative;
  display: flex;
  gap: 6px;
}
.ce-ask-input {
  flex: 1 1 auto;
  min-width: 0;
  height: 32px;
  font-size: 14px !important;
}
.ce-root textarea {
  width: 100%;
  margin-top: 4px;
  font-family: ui-monospace, monospace;
}
.ce-names {
  position: absolute;
  z-index: 5;
  left: 0;
  right: 0;
  top: 100%;
  margin: 2px 0 0;
  padding: 0;
  list-style: none;
  background: var(--bg);
  border: 1px solid var(--line);
  box-shadow: 0 4px 12px #0004;
}
.ce-root:has(.ce-names:not(:empty)) {
  min-height: 380px; /* the names are within it, for outputs that cut what is beyond */
}
.ce-names:empty {
  display: none;
}
.ce-names li {
  display: flex;
  justify-content: space-between;
  gap: 12px;
  padding: 2px 8px;
  margin: 0;
  cursor: pointer;
  font-family: ui-monospace, monospace;
  overflow-wrap: anywhere;
}
.ce-names small {
  flex: none;
}
.ce-names li:hover,
.ce-names li[aria-selected="true"] {
  background: color-mix(in srgb, var(--hot) 18%, transparent);
}
.ce-lanes {
  margin: 6px 0 2px;
  gap: 4px 18px;
}
.ce-lane {
  display: inline-flex;
  gap: 6px;
  align-items: center;
  border-left: 3px solid var(--of);
  padding-left: 6px;
}
.ce-lane input {
  accent-color: var(--of);
}
.ce-of-bm25 {
  --of: var(--bm25);
}
.ce-of-embedding {
  --of: var(--embedding);
}
.ce-of-graph {
  --of: var(--graph);
}
.ce-of-signal {
  --of: var(--signal);
}
.ce-root:not(.ce-in-lab) .ce-health:not(.ce-bad) {
  display: none;
}
.ce-options {
  padding: 4px 0;
}
.ce-options label {
  font-size: 12px;
}
.ce-state {
  min-height: 1.5em;
}
.ce-busy::before {
  content: "";
  display: inline-block;
  width: 9px;
  height: 9px;
  margin-right: 6px;
  border: 2px solid var(--line);
  border-top-color: var(--hot);
  border-radius: 50%;
  animation: ce-turn 0.8s linear infinite;
}
@keyframes ce-turn {
  to {
    transform: rotate(360deg);
  }
}
@media (prefers-reduced-motion: reduce) {
  .ce-busy::before {
    animation: none;
  }
}
.ce-bad {
  color: light-dark(#b00020, #ff8a80);
}
.ce-alert .ce-bad,
.ce-stale {
  display: flex;
  flex-flow: row wrap;
  gap: 6px;
  align-items: center;
  white-space: pre-wrap;
}
.ce-body {
  display: grid;
  grid-template-columns: minmax(0, 5fr) minmax(0, 6fr);
  gap: 16px;
  border-top: 1px solid var(--line);
  padding-top: 4px;
}
.ce-empty .ce-body {
  grid-template-columns: minmax(0, 1fr);
}
.ce-empty .ce-side:not(:has(.ce-source)),
.ce-empty .ce-tabs {
  display: none !important;
}
.ce-tabs {
  display: none;
  gap: 6px;
  margin: 2px 0 4px;
}
.ce-narrow .ce-tabs {
  display: flex;
}
.ce-narrow .ce-body {
  grid-template-columns: minmax(0, 1fr);
}
.ce-narrow.ce-show-side .ce-hits,
.ce-narrow:not(.ce-show-side) .ce-side {
  display: none;
}
.ce-slim .ce-lanes input[type="range"],
.ce-slim .ce-lanes input[type="range"] + small {
  display: none;
}
.ce-slim .ce-paste {
  display: none;
}
.ce-slim.ce-in-lab .ce-lanes input[type="range"] {
  display: inline;
}
.ce-old {
  opacity: 0.45;
  transition: opacity 0.15s 0.1s;
}
.ce-rows {
  margin: 0;
  padding: 0;
  list-style: none;
  max-height: 760px;
  overflow: auto;
}
.ce-hit {
  padding: 5px 4px;
  margin: 0;
  border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere;
}
.ce-current {
  background: color-mix(in srgb, var(--hot) 9%, transparent);
}
.ce-hit-head {
  display: flex;
  gap: 8px;
}
.ce-hit-head > div {
  min-width: 0;
}
.ce-rank {
  color: var(--dim);
  min-width: 1.4em;
}
.ce-hit em {
  color: var(--dim);
}
.ce-root button.ce-hit-name {
  border: 0;
  padding: 0 2px;
  background: none;
  text-align: left;
  color: var(--hot);
  overflow-wrap: anywhere;
}
.ce-root button.ce-hit-name:hover {
  text-decoration: underline;
}
.ce-hit-name small {
  color: inherit !important;
  opacity: 0.85;
}
.ce-signature {
  display: block;
  font:
    12px/1.5 ui-monospace,
    monospace;
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
  background: none;
  color: inherit;
  padding: 0;
}
.ce-hit-why {
  display: flex;
  gap: 8px;
  align-items: center;
}
.ce-bars {
  display: inline-flex;
  width: 84px;
  height: 6px;
  flex: none;
}
.ce-share {
  background: var(--of);
  height: 6px;
}
.ce-sentence {
  flex: 1;
}
.ce-root button.ce-why {
  padding: 0 6px;
  font-size: 12px;
}
.ce-sum {
  display: block;
  font-size: 12px;
  white-space: pre-wrap;
  background: none;
  color: inherit;
}
.ce-verdict {
  border-left: 3px solid var(--graph);
  padding-left: 8px;
}
.ce-verdict.ce-none {
  border-color: light-dark(#b00020, #ff8a80);
}
.ce-verdict.ce-possible,
.ce-verdict.ce-unknown {
  border-color: var(--embedding);
}
.ce-bar {
  display: flex;
  flex-flow: row wrap;
  gap: 4px;
  align-items: center;
}
.ce-crumb {
  flex: 1 1 180px;
  overflow-wrap: anywhere;
}
.ce-root button.ce-crumb-button {
  border: 0;
  background: none;
  padding: 0;
  color: var(--hot);
  text-align: left;
  overflow-wrap: anywhere;
}
.ce-edit {
  color: var(--hot);
  font-size: 12px;
}
.ce-root pre.ce-source,
.ce-code-box pre {
  font: 12px/1.5 var(--jp-code-font-family, ui-monospace, monospace);
  overflow: auto;
  max-height: 420px;
  white-space: pre;
  border: 1px solid var(--line);
  border-radius: 4px;
  margin: 4px 0;
  padding: 4px 0;
  background: var(--bg);
  color: var(--fg);
  position: relative;
}
.ce-code-box pre {
  padding: 6px;
}
.ce-line {
  min-width: max-content;
  padding-right: 8px;
}
.ce-at {
  background: color-mix(in srgb, var(--hot) 9%, transparent);
}
.ce-no {
  display: inline-block;
  margin: 0 1.2ch 0 0;
  text-align: right;
  color: var(--dim);
  user-select: none;
}
.ce-root .ce-link {
  color: inherit;
  text-decoration: underline dotted;
  text-underline-offset: 2px;
  cursor: pointer;
}
.ce-root .ce-link:hover {
  color: var(--hot);
  text-decoration: underline;
}
.ce-peek {
  display: none;
  position: absolute;
  z-index: 6;
  max-width: min(62ch, 90%);
  overflow-wrap: anywhere;
  background: var(--bg);
  border: 1px solid var(--line);
  border-radius: 4px;
  padding: 5px 8px;
  box-shadow: 0 2px 8px #0004;
}
.ce-peek.on {
  display: block;
}
.ce-peek code {
  background: none;
  color: inherit;
}
.ce-root button.ce-row-button {
  display: block;
  width: 100%;
  text-align: left;
  margin-top: 2px;
}
.ce-graph {
  margin-top: 6px;
  min-width: 0;
}
.ce-picture {
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 4px;
}
.ce-svg {
  display: block;
  cursor: grab;
  font:
    12px ui-monospace,
    monospace;
  touch-action: pan-y;
}
.ce-box {
  cursor: pointer;
}
.ce-box rect {
  fill: var(--bg);
  stroke: var(--dim);
}
.ce-box text {
  fill: var(--fg);
}
.ce-start rect {
  stroke: var(--hot);
  stroke-width: 2;
}
.ce-unsure rect {
  stroke-dasharray: 4 3;
}
.ce-test rect {
  fill: color-mix(in srgb, var(--graph) 12%, var(--bg));
}
.ce-box:hover rect,
.ce-box.ce-match rect,
.ce-box.ce-chosen rect {
  stroke: #f2a600;
  stroke-width: 3;
}
.ce-edge {
  fill: none;
  stroke: var(--dim);
  stroke-width: 1.3;
}
.ce-head {
  fill: var(--dim);
}
.ce-edge.ce-likely {
  stroke-width: 0.8;
}
.ce-edge.ce-possible {
  stroke-dasharray: 5 4;
}
.ce-kind-EXTENDS,
.ce-kind-IMPLEMENTS {
  stroke: var(--embedding);
}
.ce-kind-USES {
  stroke: var(--graph);
}
.ce-reached {
  align-items: flex-start;
  margin-top: 4px;
}
.ce-root select.ce-list {
  flex: 1 1 240px;
  min-width: 0;
  font:
    12px ui-monospace,
    monospace;
}
.ce-details,
.ce-said {
  overflow-wrap: anywhere;
}
.ce-lab {
  margin: 2px 0 6px;
  padding: 0;
  list-style: none;
}
.ce-step {
  border-left: 2px solid var(--line);
  padding-left: 10px;
  margin: 0 0 4px;
}
.ce-step > .codeexplore {
  display: inline-block;
}
.ce-compare {
  overflow-x: auto;
}
.ce-root summary {
  cursor: pointer;
}
.ce-where {
  flex: 1 1 260px;
}
.ce-load {
  margin-bottom: 6px;
}
.ce-view {
  overflow-x: auto;
}
.ce-root .ce-starters button {
  white-space: normal;
  text-align: left;
}
@media (forced-colors: active) {
  .ce-root {
    --bg: Canvas;
    --fg: CanvasText;
    --dim: CanvasText;
    --line: CanvasText;
    --hot: LinkText;
    --bm25: CanvasText;
    --embedding: CanvasText;
    --graph: CanvasText;
    --signal: GrayText;
  }
  .ce-share {
    forced-color-adjust: none;
    border-right: 1px solid Canvas;
  }
  .ce-root button[aria-pressed="true"],
  .ce-names li[aria-selected="true"],
  .ce-current,
  .ce-at {
    outline: 2px solid Highlight;
    outline-offset: -2px;
  }
  .ce-box:hover rect,
  .ce-box.ce-match rect,
  .ce-box.ce-chosen rect {
    stroke: Highlight;
  }
}
.ce-root.ce-root [data-lm-suppress-shortcuts] {
  outline-offset: 1px;
}
.jp-OutputArea-child:has(.ce-still):has(+ .jp-OutputArea-child .ce-root) {
  display: none;
} /* the still picture, while the widget lives */
`;function o(e,n={},...i){let r=document.createElement(e);for(let[c,a]of Object.entries(n))a==null||a===!1||(c.startsWith("on")?r.addEventListener(c.slice(2),a):c==="value"||c==="checked"?r[c]=a:r.setAttribute(c,a===!0?"":String(a)));return r.append(...i.filter(c=>c!=null&&c!==!1)),r}function K(e,n={},...i){let r=document.createElementNS("http://www.w3.org/2000/svg",e);for(let[c,a]of Object.entries(n))c.startsWith("on")?r.addEventListener(c.slice(2),a):a!==void 0&&r.setAttribute(c,String(a));return r.append(...i),r}var wt=new Set("A B BR BUTTON CAPTION CODE DETAILS DIV EM I IMG LI MARK OL P PRE SMALL SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL H3 H4".split(" ")),vt=/^(class|style|title|role|alt|colspan|scope|open|tabindex|aria-[a-z]+|data-copy)$/;function H(e){let n=document.createDocumentFragment(),i=(r,c)=>{for(let a of r.childNodes){if(a.nodeType===3&&c.appendChild(document.createTextNode(a.textContent??"")),!(a instanceof Element)||!wt.has(a.tagName))continue;let p=document.createElement(a.tagName);for(let{name:x,value:u}of a.attributes)vt.test(x)&&!/url\(/i.test(u)&&p.setAttribute(x,u);let w=a.getAttribute("src")??"";a.tagName==="IMG"&&w.startsWith("data:image/svg+xml")&&p.setAttribute("src",w),a.matches("a.ce-place")&&p.setAttribute("href","#"),i(a,p),c.appendChild(p)}};return i(new DOMParser().parseFromString(e,"text/html").body,n),n}var f=(e,n,i,r={})=>o("button",{type:"button",title:n,onclick:i,...r},e);function Ke(e){let n=document.activeElement,i=o("textarea",{value:e});document.body.append(i),i.select();let r=document.execCommand("copy");return i.remove(),n?.focus({preventScroll:!0}),r}function Ge(e,n,i){let{options:r,known:c}=n;return c.lanes.map(([a,p],w)=>{let[,x,u,k,b]=e?.[w]??[a,!0,1,"",!1],O=r.lanes?r.lanes.includes(a):x,B=r.weights?.[a]??u,N=o("input",{type:"checkbox",role:"switch",checked:O,disabled:i,"aria-label":p,onchange:A=>{let L=n.options.lanes??(e??[]).filter(j=>j[1]).map(j=>j[0]);n.choose({lanes:A.target.checked?[...L,a]:L.filter(j=>j!==a)})}}),m=o("small",{},`\xD7${Number(B).toFixed(1)}`),T=o("input",{type:"range",min:0,max:3,step:.1,value:B,disabled:!O||i,"aria-label":`Weight of ${p}`,title:"How much it counts",oninput:A=>{m.textContent=`\xD7${Number(A.target.value).toFixed(1)}`,n.choose({weights:{...n.options.weights,[a]:Number(A.target.value)}},120)}});return o("span",{class:`ce-lane ce-of-${a}`},o("label",{},N," ",p," ",o("small",{},`(${a})`)),T,m,o("small",{class:b?"ce-bad ce-health":"ce-health"},k))})}function Ue(e){let{options:n,known:i}=e,r=(x,u,k)=>o("label",{},x," ",o("input",{value:n[u]??"",...k,onchange:b=>e.choose({[u]:k.type==="number"?Number(b.target.value)||null:b.target.value})})),c=(x,u,k)=>o("label",{},o("input",{type:"checkbox",checked:n[u]??k,onchange:b=>e.choose({[u]:b.target.checked})}),` ${x}`),a=(x,u,k)=>o("label",{},x," ",o("select",{onchange:b=>e.choose({[u]:b.target.value})},...k.map(([b,O])=>o("option",{value:O,selected:String(n[u]??"")===String(O)},b)))),p=["automatic",""],w=x=>x.map(u=>[u,u]);return o("div",{class:"ce-row ce-options"},a("Relation","relation",[p,...w(i.relations)]),a("Direction","direction",[p,["towards it","in"],["away from it","out"],["both","both"]]),a("Depth","depth",[p,...w([1,2,3,4,5,6,7,8,9,10])]),a("Fusion","fusion",[["rrf (usual)",""],...w(i.fusions.slice(1))]),r("rrf_k","rrf_k",{type:"number",min:1,max:1e3,placeholder:i.defaults.rrf_k}),r("Hits","top_k",{type:"number",min:1,max:200,placeholder:i.defaults.top_k}),r("File paths","paths",{placeholder:"src/**, *_api.py"}),a("Language","language",[["all",""],...i.languages]),c("one per file","one_per_file",!1),c("include tests","tests",!0),f("Reset to automatic","Undo your choices: the program chooses for each question again",()=>e.reset()))}var _e={question:["Question","What is a word?"],reading:["Query plan","What is a query plan?"],lanes:["Lanes","What is a lane?"],fusion:["Fusion","What is fusion?"],signals:["Signals","What is a signal?"],ranking:["Ranking","What is the ranking?"]};function Ve(e,n){return o("ol",{class:"ce-lab","aria-label":"Steps of the search"},...e.steps.map(([i,r,c],a)=>o("li",{class:"ce-step"},o("b",{},`${a+1} ${_e[i][0]}`)," ",H(r),o("details",{open:n.folds.has(i)},o("summary",{onclick:()=>n.folds.has(i)?n.folds.delete(i):n.folds.add(i)},_e[i][1]),H(c)))))}var ue=class{constructor(n=[]){this.all=n,this.at=n.length-1}get now(){return this.all[this.at]??""}go(n){n!==this.now&&(this.all=[...this.all.slice(0,this.at+1),n].slice(-50),this.at=this.all.length-1)}step(n){let i=this.all[this.at+n];return i===void 0?"":(this.at+=n,i)}};function Ye(e){if(!e.startsWith("/")||e.length<2)return null;let n=/^\/(.+)\/(i?)$/.exec(e);return n?{pattern:n[1],regex:!0,ignore_case:n[2]==="i"}:{pattern:e.slice(1),regex:!1,ignore_case:!1}}function ye(e){return Object.fromEntries(Object.entries(e).filter(([,n])=>n!=null&&n!==""))}function ke(e,n,i,r){let c=Math.min(4,Math.max(.2,e.k*n)),a=c/e.k;return{k:c,x:i-(i-e.x)*a,y:r-(r-e.y)*a}}function Xe(e,n){if(e===n)return`M${e.x+e.width/2} ${e.y-4}c26 -16 26 24 0 8`;if(Math.abs(e.x-n.x)<(e.width+n.width)/2){let p=Math.max(e.x+e.width/2,n.x+n.width/2)+18;return`M${e.x+e.width/2} ${e.y}C${p} ${e.y} ${p} ${n.y} ${n.x+n.width/2+5} ${n.y}`}let i=e.x<n.x?1:-1,r=e.x+i*e.width/2,c=n.x-i*(n.width/2+5),a=(r+c)/2;return`M${r} ${e.y}C${a} ${e.y} ${a} ${n.y} ${c} ${n.y}`}function Qe(e,n,i){let r=h=>i.walk({...e,...h}),c=o("div",{class:"ce-details"}),a=async h=>{for(let E of O.querySelectorAll(".ce-box"))E.hasAttribute("aria-pressed")&&(E.classList.toggle("ce-chosen",E.getAttribute("data-id")===h),E.setAttribute("aria-pressed",String(E.getAttribute("data-id")===h)));x.value=h,u.disabled=k.disabled=!1,b.disabled=e.walk==="path"||h===e.symbol,b.textContent=`${p.includes(h)?"Remove":"Add"} its ${e.walk}`;let S=await i.tried(i.ask("details",{symbol:h}),()=>a(h));S&&c.replaceChildren(H(S.html))},p=e.expanded??[],w=()=>{let h=x.value,S=n.list.find(_=>_[0]===h)?.[2],E=p.filter(_=>_!==h),P=E.length<p.length,W=n.list.length;r({chosen:h,expanded:P?E:[...p,h],grown:_=>P?`Removed the ${e.walk} of ${S}.`:_>W?`Added the ${e.walk} of ${S}: ${_-W} more in the graph.`:`The graph had all ${e.walk} of ${S} already.`})},x=o("select",{size:Math.max(2,Math.min(8,n.list.length)),class:"ce-list","aria-label":"Symbols in the graph"},...n.list.map(([h,S,E,P])=>o("option",{value:h},`${S<0?"possible":S||"start"}  ${E}  ${P}`)));x.addEventListener("change",()=>a(x.value)),x.addEventListener("dblclick",()=>i.open(x.value));let u=f("Start here","Show the graph around the chosen symbol",()=>r({symbol:x.value,others:[],opened:[],expanded:[],walk:e.walk==="path"?"callers":e.walk,trail:[...e.trail??[],e.symbol]})),k=f("Open source","Open the source of the chosen symbol",()=>i.open(x.value)),b=f(`Add its ${e.walk}`,"One more step of the walk, from the chosen symbol",w,{"data-key":"expand"});u.disabled=k.disabled=b.disabled=!0;let{svg:O,fit:B}=yt(n,e.chosen,h=>{h.members?r({opened:[...e.opened??[],h.id]}):a(h.id)},i),N=[...e.target?["path"]:[],...i.known.walks],m=(h,S)=>h.map(E=>o("option",{value:E,selected:E===S},E)),T=(h,S,E,P)=>o("label",{},h," ",o("select",{onchange:W=>P(W.target.value)},...m(S,E))),A=(h,S,E,P)=>o("label",{},h," ",o("input",{type:"number",value:S,...E,onchange:W=>P(Number(W.target.value))})),L=e.kinds??null,j=o("details",{class:"ce-more",open:i.moreGraph},o("summary",{onclick:()=>{i.moreGraph=!i.moreGraph}},"Graph options"),o("div",{class:"ce-row"},A("Minimum confidence",e.confidence??i.known.defaults.confidence,{min:0,max:1,step:.05},h=>r({confidence:h,expanded:[]})),o("label",{},o("input",{type:"checkbox",checked:e.tests??!0,onchange:h=>r({tests:h.target.checked,expanded:[]})})," include tests"),T("Group by",i.known.groupings,e.by??i.known.groupings[0],h=>r({by:h,opened:[]})),...i.known.edges.map(h=>o("label",{},o("input",{type:"checkbox","data-kind":h,checked:L?L.includes(h):!1,onchange:S=>{let E=[...L??[]].filter(P=>P!==h);r({kinds:S.target.checked?[...E,h]:E.length?E:null,expanded:[]})}}),` ${h}`)))),$=o("input",{type:"search",placeholder:"Find in graph","aria-label":"Find in graph",oninput:h=>{let S=h.target.value.toLowerCase();for(let E of x.options)E.hidden=!!S&&!E.text.toLowerCase().includes(S);for(let E of O.querySelectorAll(".ce-box"))E.classList.toggle("ce-match",!!S&&(E.querySelector("title")?.textContent??"").toLowerCase().includes(S))},onkeydown:h=>{if(h.key!=="Enter")return;let S=[...x.options].filter(W=>!W.hidden),E=S.findIndex(W=>W.selected),P=S[(E+1)%S.length];P&&a(P.value)}}),U=o("div",{class:"ce-said"},H(n.said)),M=o("div",{class:"ce-picture",title:"Drag to move; Ctrl and the wheel zoom"},O);e.chosen&&a(e.chosen);let oe=e.trail??[],Y=o("div",{class:"ce-row"},f("\u2212","Zoom out",()=>B(.8),{"aria-label":"Zoom out"}),f("+","Zoom in",()=>B(1.25),{"aria-label":"Zoom in"}),f("Fit","Show all of it",()=>B(0)),e.opened?.length?f("Close groups","Show the groups of the first view again",()=>r({opened:[]})):null,n.list.length>12?$:null,o("span",{class:"ce-row ce-picked",role:"group","aria-label":"Chosen symbol"},k,b,u));return[o("div",{class:"ce-row"},T("Show",N,e.walk,h=>r({walk:h,kinds:null,opened:[],expanded:[]})),A("Steps",e.depth??1,{min:1,max:10,disabled:!i.known.deep.includes(e.walk)},h=>r({depth:Math.max(1,Math.min(10,h)),opened:[]})),oe.length?f("Back to before","The start before",()=>r({symbol:oe.at(-1),trail:oe.slice(0,-1),opened:[],expanded:[]})):null,j),...e.walk==="path"?[Y,M,U]:[U,Y,M],o("div",{class:"ce-row ce-reached"},x),c]}function yt(e,n,i,r){let[c,a]=e.size,p=Math.max(r.graphWidth(),240),w=Math.min(780,Math.max(80,a+40)),x=`ce-arrow-${Math.random().toString(36).slice(2)}`,u=K("g"),k=K("svg",{class:"ce-svg",width:p,height:w,role:"group","aria-label":e.title});k.append(K("defs",{},K("marker",{id:x,viewBox:"0 0 6 6",refX:5,refY:3,markerWidth:7,markerHeight:7,orient:"auto"},K("path",{d:"M0 0L6 3L0 6z",class:"ce-head"}))),u);for(let[m,T,A,L,j]of e.links)u.append(K("path",{class:`ce-edge ce-${j} ce-kind-${A}`,d:Xe(e.boxes[m],e.boxes[T]),"marker-end":`url(#${x})`},K("title",{},L)));for(let m of e.boxes){let T=K("g",{class:`ce-box${m.start?" ce-start":""}${m.certain?"":" ce-unsure"}${m.test?" ce-test":""}`,tabindex:0,role:"button","data-id":m.id,transform:`translate(${m.x} ${m.y})`,"aria-label":m.title,"aria-pressed":m.members?void 0:"false"},K("title",{},m.title),K("rect",{x:-m.width/2,y:-12,width:m.width,height:24,rx:m.members?12:3}),K("text",{"text-anchor":"middle",y:4},m.label));T.addEventListener("click",()=>i(m)),T.addEventListener("dblclick",()=>m.members||r.open(m.id)),T.addEventListener("keydown",A=>{let L=A.key;L!=="Enter"&&L!==" "||(A.preventDefault(),A.stopPropagation(),L==="Enter"&&T.classList.contains("ce-chosen")&&!m.members?r.open(m.id):i(m))}),u.append(T)}let b={x:0,y:0,k:1},O=()=>u.setAttribute("transform",`translate(${b.x} ${b.y}) scale(${b.k})`),B=m=>{if(m)b=ke(b,m,p/2,w/2);else{let T=Math.min(1,Math.max(.82,(p-16)/c)),A=e.boxes.some(L=>L.start&&L.x>0);b={k:T,x:c*T<=p?p/2:A?p-8-c*T/2:8+c*T/2,y:a*T>w?8+a*T/2:w/2}}O()};B(0);let N=e.boxes.find(m=>m.id===n);return N&&c*b.k>p&&(b.x=p/2-N.x*b.k,O()),k.addEventListener("wheel",m=>{if(!m.ctrlKey&&!m.metaKey)return;m.preventDefault();let T=k.getBoundingClientRect();b=ke(b,m.deltaY<0?1.15:1/1.15,m.clientX-T.left,m.clientY-T.top),O()},{passive:!1}),k.addEventListener("pointerdown",m=>{if(m.target.closest(".ce-box"))return;let T={x:m.clientX-b.x,y:m.clientY-b.y};k.setPointerCapture(m.pointerId);let A=L=>{b={...b,x:L.clientX-T.x,y:L.clientY-T.y},O()};k.addEventListener("pointermove",A),k.addEventListener("pointerup",()=>k.removeEventListener("pointermove",A),{once:!0})}),{svg:k,fit:B}}function fe(e,n){return e.map(([i,r,c,a])=>{if(!r&&!c&&!a?.length)return i;if(!a?.length)return o(c?"mark":"span",{class:r||void 0},i);let p=o("a",{href:"#",class:`ce-link ${r??""}`,"data-id":a[0],"data-ids":a.length>1?a.join(`
`):void 0},...typeof i=="string"?[c?o("mark",{},i):i]:fe(i,n));p.addEventListener("click",w=>{w.preventDefault(),w.altKey?n.walk({symbol:a[0],others:a.slice(1),walk:"callers"}):a.length>1?kt(p,a,n):n.open(a[0])}),p.addEventListener("mouseenter",()=>Ze(p,a[0],n)),p.addEventListener("focus",()=>Ze(p,a[0],n));for(let w of["mouseleave","blur"])p.addEventListener(w,()=>{n.peek.contains(document.activeElement)||n.hide()});return p})}var Je=e=>typeof e=="string"?e:e.map(n=>Je(n[0])).join("");async function kt(e,n,i){let r=await Promise.all(n.slice(0,12).map(c=>i.ask("peek",{symbol:c}).catch(()=>null)));i.showPeek(e,o("div",{},o("b",{},"This name may mean:"),...r.filter(Boolean).map(c=>f(`${c.name}  ${c.place}`,"Open its definition",()=>i.open(c.target),{class:"ce-row-button"})))),i.peek.querySelector("button")?.focus()}async function Ze(e,n,i){if(await new Promise(c=>setTimeout(c,150)),!e.matches(":hover, :focus"))return;let r=await i.ask("peek",{symbol:n}).catch(()=>null);!r||!e.isConnected||!e.matches(":hover, :focus")||i.showPeek(e,o("div",{},o("code",{},r.signature||r.name),o("div",{},r.doc),o("small",{},[r.counts,r.place,"Alt+click: callers"].filter(Boolean).join(" \xB7 "))))}function et(e,n){let i=String(e.lines.at(-1)?.[0]??1).length,r=e.lines.map(([u,k])=>o("div",{class:u===e.at?"ce-line ce-at":"ce-line"},o("span",{class:"ce-no",style:`width:${i+1}ch`},String(u)),o("span",{class:"ce-text"},...fe(k,n)))),c=(u,k)=>u?[f(k,"The source is shown in parts",()=>n.open(e.row.target,{first:u,keep:!1}))]:[],a=f("Copy","Copy this code",()=>n.copy(e.lines.map(([,u])=>Je(u)).join(`
`))),p=e.crumbs.flatMap(([u,k]=["",""],b)=>[b?" \u203A ":"",f(k,u,()=>n.open(u),{class:"ce-crumb-button"})]),w=e.edit.href?o("a",{class:"ce-edit",title:"Open the file in the editor",...e.edit},e.row.place):o("span",{class:"ce-edit"},e.row.place),x=e.row.kind==="text"?[]:[f("Callers","Draw what calls it (Alt+click a name)",()=>n.walk({symbol:e.row.target,walk:"callers"}))];return[o("div",{class:"ce-bar"},f("\u2190","Back (Alt+Left)",()=>n.step(-1),{class:"ce-back","aria-label":"Back"}),f("\u2192","Forward (Alt+Right)",()=>n.step(1),{"aria-label":"Forward"}),o("nav",{class:"ce-crumb","aria-label":"Where this source is"},...p),w,...x,a,f("\xD7","Close the source (Escape)",()=>n.close(),{"aria-label":"Close the source"})),e.note&&o("p",{class:"ce-dim"},e.note),...c(e.before,"Lines before"),o("pre",{class:"ce-source codeexplore",tabindex:0,role:"region","aria-label":`Source of ${e.row.name}`},...r),...c(e.after,`Lines after, of ${e.of}`)].filter(Boolean)}var Ct=["bm25","embedding","graph"],$t=e=>Ct.find(n=>e===n||e.endsWith(`-${n}`))??"signal";function tt(e,n){let i=f("","Open its source",()=>n.open(e.target),{class:"ce-hit-name","data-target":e.target}),r=Math.max(e.name.lastIndexOf("."),e.name.lastIndexOf(":"))+1;i.append(o("small",{},e.name.slice(0,r)),o("b",{},e.name.slice(r)));let c=(e.bars??[]).map(([w,x])=>o("i",{class:`ce-share ce-of-${$t(w)}`,style:`width:${(x*100).toFixed(1)}%`,title:w})),a=o("div",{class:"ce-reason"}),p=e.bars&&f("why","Show how the score adds up",async()=>{let w=p.getAttribute("aria-expanded")==="true";if(p.setAttribute("aria-expanded",String(!w)),n.whys[w?"delete":"add"](e.target),w)return a.replaceChildren();let x=await n.tried(n.ask("why",{rank:e.rank}));x&&a.replaceChildren(o("small",{},x.note),o("code",{class:"ce-sum"},x.sum),H(x.html))},{class:"ce-why","aria-expanded":"false","aria-label":`Why hit ${e.rank}`});return p&&(n.options.explain||n.whys.has(e.target))&&p.click(),o("li",{class:"ce-hit"},o("div",{class:"ce-hit-head"},o("span",{class:"ce-rank"},`${e.rank}`),o("div",{},i," ",o("small",{},`${e.kind} ${e.place}`)," ",e.role&&o("em",{},e.role))),e.signature&&o("code",{class:"ce-signature"},e.signature),e.doc&&o("div",{class:"ce-doc"},e.doc),...(e.lines??[]).map(([w,x])=>o("code",{class:"ce-signature"},`${w}  `,...fe(x,n))),o("div",{class:"ce-hit-why"},e.bars&&o("span",{class:"ce-bars","aria-hidden":"true"},...c),o("small",{class:"ce-sentence"},e.why),p||null),a)}function ot(e,n){let i=e.verdict&&o("p",{class:`ce-verdict ce-${e.verdict.kind}`},o("b",{},{found:"found",none:"none",possible:"may be",unknown:"unknown"}[e.verdict.kind]??"")," ",e.verdict.text);return[e.words&&o("p",{class:e.confidence==="none"?"ce-verdict ce-none":"ce-verdict"},e.words),i,...(e.notices??[]).map(r=>o("p",{class:"ce-dim"},r)),e.steps?.length?o("div",{class:"ce-row"},...e.steps.map(r=>n.stepButton(r))):null].filter(Boolean)}var Ce=class extends Error{constructor(n){super(n.error),this.steps=n.steps??[]}};function nt(e,n,i=()=>{}){let r=new Map,c=Math.random().toString(36).slice(2),a=0,p=!1,w=(u,k)=>{if(u?.event)return i(u);let b=r.get(u?.id);b&&(r.delete(u.id),p&&i({event:"slow",is:p=!1}),u.ok?b.ok({...u,buffers:k}):b.no(new Ce(u)))};e.on("msg:custom",w),n?.addEventListener("abort",()=>e.off("msg:custom",w));let x=6e4;return(u,k={},b=x)=>new Promise((O,B)=>{let N=`${c}-${++a}`;r.set(N,{ok:O,no:B});try{e.send({id:N,kind:u,args:k})}catch{return r.delete(N),B(new Error("The kernel was restarted or has ended. Run the cell again."))}b===x&&u!=="fresh"&&setTimeout(()=>r.has(N)&&i({event:"slow",is:p=!0}),4e3),setTimeout(()=>r.delete(N)&&B(new Error("No answer yet: the kernel is busy or gone.")),b)})}async function rt(e){let n="buffer"in e?new Uint8Array(e.buffer,e.byteOffset,e.byteLength):e,i=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(i).text()}function at(e,n,i=10){let r=n.toLowerCase().replace(/\s+/g,"");if(!r)return[];let c=[];for(let a=0;a<e.length;a++){let p=e[a],w=Lt(p,r);w>0&&c.push([w-a/e.length-p.low.length/1e3,p])}return c.sort((a,p)=>p[0]-a[0]).slice(0,i).map(a=>a[1])}function Lt(e,n){if(e.name===n)return 1e3;if(e.name.startsWith(n))return 800;if(e.name.includes(n))return 600;if(e.low.includes(n))return 400;let i=-1,r=0;for(let c of n){let a=e.low.indexOf(c,i+1);if(a<0)return 0;i>=0&&(r+=a-i-1),i=a}return Math.max(1,200-r)}var it=e=>e.split(`
`).filter(Boolean).map(n=>{let[i,r,c]=n.split("	"),a=i.toLowerCase();return{fqn:i,low:a,name:a.slice(Math.max(a.lastIndexOf("."),a.lastIndexOf(":"))+1),kind:r,id:c}});function st(e){let n=/[\w.:$]+$/.exec(e);return n?[e.slice(0,n.index),n[0]]:[e,""]}async function Et({model:e,el:n,signal:i}){let r=nt(e,i,gt),c=new ue([...e.get("history")??[]]),a=0,p=0,w=0,x=0,u=0,k=0,b=0,O=2e3,B="",N="",m=[],T=null,A=[],L=null,j=null,$=o("input",{type:"text",class:"ce-ask-input",role:"combobox","aria-label":"Question or name","aria-expanded":"false","aria-autocomplete":"list","aria-controls":`ce-names-${ct()}`,autocomplete:"off",spellcheck:"false",placeholder:"a name, \u201Cwhat calls \u2026?\u201D, a description, /text or /regex/"}),U=o("ul",{class:"ce-names",role:"listbox",id:$.getAttribute("aria-controls"),"aria-label":"Names"}),M=o("textarea",{rows:8,"aria-label":"Bug report",placeholder:"an issue, an error message or a stack trace",hidden:!0}),oe=o("span",{class:"ce-title"}),Y=o("div",{class:"ce-status",role:"status","aria-live":"polite"}),h=o("div",{class:"ce-alert"}),S=o("div",{class:"ce-stale"}),E=o("div",{class:"ce-row ce-lanes"}),P=o("div"),W=o("div",{class:"ce-code-box"}),_=o("div"),ne=o("div",{class:"ce-view"}),le=o("div",{class:"ce-compare"}),X=o("div",{class:"ce-found"}),F=o("ol",{class:"ce-rows","aria-label":"Hits"}),me=o("div",{class:"ce-side"}),z=o("div",{class:"ce-open"}),I=o("div",{class:"ce-graph"}),G=o("div",{class:"ce-peek",role:"tooltip"}),$e={lab:f("Lab","Every step of the search with its numbers and controls",()=>ut(e.get("options").view==="lab"?"ask":"lab"),{"aria-pressed":"false"})},Le=o("div",{class:"ce-tabs",role:"group","aria-label":"Show"},f("Hits","Show the hits",()=>ie("hits")),f("Source and graph","Show the source and the graph",()=>ie("side"))),Ee=o("span",{class:"ce-row ce-heading-buttons"}),q=o("div",{class:"ce-root"},o("style",{},Ie,He),o("div",{class:"ce-row ce-heading"},oe,Ee),_,o("div",{class:"ce-ask"},$,f("Ask","Ask this question (Enter)",()=>R()),f("Paste a report","Open a larger box for text of several lines, such as a stack trace",()=>Be(),{class:"ce-paste","aria-pressed":"false"}),U),M,E,P,W,ne,o("div",{class:"ce-state"},Y,h,S),Le,o("div",{class:"ce-body"},o("div",{class:"ce-hits"},le,X,F),me),G);me.append(z,I),n.append(q);let v={ask:r,peek:G,known:null,options:{...e.get("options")},folds:new Set,whys:new Set,moreGraph:!1,open:Z,step:xe,close:be,walk:se,choose:ht,tried:V,stepButton:Se,showPeek:lt,hide:()=>G.classList.remove("on"),copy:t=>{D(Ke(t)?"Copied.":"The browser refused to copy: select the text and press Ctrl+C.")},graphWidth:()=>(I.clientWidth||me.clientWidth||q.clientWidth)-4,reset:()=>{let{view:t,explain:s}=v.options;v.options=ye({view:t,explain:s}),ae({options:v.options}),R(),J()}};function D(t="",s=!1){Y.textContent=t,Y.classList.toggle("ce-busy",s)}function re(t,...s){D();for(let d of[X,F,z,I])d.classList.remove("ce-old");h.replaceChildren(o("div",{role:"alert",class:"ce-bad"},o("span",{},`\u26A0 ${t.message??t}`),...(t.steps??[]).map(Se),...s.filter(Boolean),!e.get("title")&&f("Open\u2026","Open a repository",we),/kernel/.test(t.message)&&f("Try again","Ask once more",()=>he())))}async function V(t,s){try{return await t}catch(d){return re(d,s&&!d.steps?.length?f("Try again","Try once more",s):null),null}}function Se(t){let s={ask:()=>{$.value=t.argument||$.value,R()},grep:()=>{$.value=`/${t.argument}`,R()},source:()=>Z(t.argument),refresh:()=>ve()};return s[t.kind]?f(t.label,t.does||"The next step",()=>{h.replaceChildren(),s[t.kind]()},{class:"ce-next"}):f(`Copy: ${t.label}`,"Copy this call, to run it in a cell",()=>v.copy(t.label.split(" ")[0]),{class:"ce-next"})}function ae(t){for(let[s,d]of Object.entries(t))e.set(s,d);try{e.save_changes()}catch{}}function pe(t,...s){let d=g=>`${g.dataset.key??g.getAttribute("aria-label")??g.closest("label")?.firstChild?.textContent??g.textContent}`,l=t.contains(Ne())?Ne():null,C=l&&d(l);if(t.replaceChildren(...s),!l)return;let y=[...t.querySelectorAll("button, input, select, summary, [tabindex]")];(y.find(g=>d(g)===C&&!g.disabled)??y.find(g=>!g.disabled))?.focus()}function lt(t,s){G.replaceChildren(s),Object.assign(G.style,{left:"0",top:"0"}),G.classList.add("on");let d=t.getBoundingClientRect(),l=q.getBoundingClientRect(),C=d.bottom-l.top+2,y=d.top-l.top-G.offsetHeight-2;Object.assign(G.style,{left:`${Math.max(0,Math.min(d.left-l.left,l.width-G.offsetWidth-4))}px`,top:`${C+G.offsetHeight>l.height&&y>0?y:C}px`})}async function Te(){T??=r("names").then(async t=>{m=it(await rt(t.buffers[0]))}).catch(()=>{T=null}),await T}let Q=-1,ge=0;async function Ae(){let t=$.value,s=++ge;if(m.length||await Te(),s!==ge)return;let[d,l]=t.startsWith("/")?["",""]:st(t),C=l.length>1||!d&&l?at(m,l,10):[],y=A.filter(g=>g!==t&&g.toLowerCase().includes(t.toLowerCase())).slice(0,3);Q=-1,U.replaceChildren(...C.map(g=>Me(()=>d.trim()?Oe(d+g.fqn):(de(),Z(g.id)),g.fqn,g.kind)),...(t?y:[]).map(g=>Me(()=>{Oe(g),R()},g,"asked before"))),qe(U.childElementCount>0)}function Me(t,s,d){return o("li",{role:"option",id:`ce-name-${ct()}`,"aria-selected":"false",onmousedown:l=>{l.preventDefault(),t()},onclick:()=>{}},o("span",{},s),o("small",{},d))}function Oe(t){$.value=t,de(),$.focus()}function de(){ge++,Q=-1,U.replaceChildren(),qe(!1)}function qe(t){$.setAttribute("aria-expanded",String(t)),$.removeAttribute("aria-activedescendant")}function dt(t){let s=[...U.children];Q=Math.max(-1,Math.min(s.length-1,Q+t)),s.forEach((d,l)=>d.setAttribute("aria-selected",String(l===Q))),Q>=0?$.setAttribute("aria-activedescendant",s[Q].id):$.removeAttribute("aria-activedescendant")}async function R(){let t=++a,s=M.hidden?$.value.trim():M.value.trim();if(clearTimeout(k),de(),v.hide(),h.replaceChildren(),S.replaceChildren(),ae({question:s}),s!==N&&ie("hits"),!s)return N="",L=null,q.classList.add("ce-empty"),F.replaceChildren(),le.replaceChildren(),I.replaceChildren(),D(),J(),We();q.classList.remove("ce-empty"),D("Searching \u2026",!0);for(let l of[X,F,I])l.classList.add("ce-old");let d=Ye(s);try{let l=await(d?r("grep",d):r("search",{question:s,options:v.options}));if(t!==a)return;if(M.hidden&&!A.includes(s)&&A.unshift(s),L={...l,grep:!!d},s!==N&&z.replaceChildren(),N=s,D(`${l.said} in ${l.took} ms`),X.replaceChildren(...ot(l,v),...l.reading?[o("div",{class:"ce-reading"},H(l.reading))]:[]),F.replaceChildren(...l.rows.map(C=>tt(C,v))),W.childElementCount&&ce(),!l.rows.length&&!l.verdict&&F.append(o("li",{},d?"No file contains it.":"No hits.")),!l.rows.length&&d&&!d.regex&&/[\\^$.*+?()[\]{}|]/.test(d.pattern)){let C=()=>{$.value=`/${d.pattern}/`,R()};F.append(o("li",{},f("Search it as a regular expression","Find what the pattern matches",C)))}for(let C of[X,F])C.classList.remove("ce-old");pt(l),J(),d||!l.start?(I.replaceChildren(),I.classList.remove("ce-old")):se({symbol:l.start,walk:l.walk,depth:l.depth,target:l.target}),je(2e3)}catch(l){if(t!==a)return;L=null;for(let y of[X,F,I])y.replaceChildren();J();let C=()=>{$.value=`/${d?.pattern}`,R()};re(l,d?.regex&&f("Search for the text as it is","Without a regular expression",C),Object.keys(v.options).some(y=>y!=="view"&&y!=="explain")&&f("Reset to automatic","Undo your choices and ask again",()=>v.reset()))}}function pt(t){if(!t.choices?.length)return;let s=t.choices.map(l=>l[0]),d=l=>se({symbol:l[0],others:l.slice(1),walk:t.walk,depth:t.depth});X.append(o("div",{class:"ce-row ce-choices"},"The name may mean:",...t.choices.slice(0,8).map(([l,C,y])=>f(`${C} (${y})`,"Show its graph",()=>d([l]))),f(`All ${s.length}`,"Show the graph around all of them",()=>d(s))))}function ht(t,s=0){v.options=ye({...v.options,...t}),ae({options:v.options}),clearTimeout(k),($.value.trim()||M.value.trim())&&(k=setTimeout(R,s))}function We(){X.replaceChildren(o("p",{},e.get("title")?`Type a name or a question${v.known.starters.length?", or start with one of these:":"."}`:"Open a repository to ask about it."),o("div",{class:"ce-row ce-starters"},...v.known.starters.map(t=>f(t,"Ask this question",()=>{$.value=t,R()}))),H(v.known.summary)),X.classList.remove("ce-old")}async function Z(t,{keep:s=!0,first:d=0}={}){let l=++p;v.hide(),h.replaceChildren(),z.classList.add("ce-old");let C=Y.textContent??"",y="Opening the source \u2026";Y.classList.contains("ce-busy")||D(y,!0);let g=await V(r("source",{target:t,first:d}),()=>Z(t,{keep:s,first:d}));if(Y.textContent===y&&l===p&&D(C===y?"":C),!g||l!==p)return z.classList.remove("ce-old");s&&c.go(t),ae({history:c.all}),B=g.row.target,z.classList.remove("ce-old"),z.replaceChildren(...et(g,v)),ie("side");for(let Fe of F.querySelectorAll(".ce-hit-name"))Fe.closest("li")?.classList.toggle("ce-current",Fe.dataset.target===t);let ee=z.querySelector(".ce-at"),te=z.querySelector(".ce-source");ee&&ee.offsetTop>te.clientHeight&&(te.scrollTop=ee.offsetTop-40),d||te.focus({preventScroll:!0}),W.childElementCount&&ce(),g.row.kind!=="text"&&g.row.kind!=="module"&&se({symbol:g.row.target,walk:L?.walk&&L.walk!=="path"?L.walk:"callers"},!1)}function xe(t){let s=c.step(t);s?Z(s,{keep:!1}):t<0&&be()}function be(){z.replaceChildren(),B="",ae({place:""}),ie("hits"),(F.querySelector(".ce-current .ce-hit-name")??F.querySelector(".ce-hit-name")??$).focus()}function ie(t){q.classList.toggle("ce-show-side",t==="side"),[...Le.children].forEach((s,d)=>s.setAttribute("aria-pressed",String(t==="side"==(d===1))))}async function se(t,s=!0){let d=++w,{grown:l,...C}=t,{trail:y,chosen:g,...ee}=C;I.classList.add("ce-old"),u=v.graphWidth(),j=C;try{let te=await r("graph",{...ee,width:u});if(d!==w)return;pe(I,...Qe(C,te,v)),l&&D(l(te.list.length)),W.childElementCount&&ce()}catch(te){if(d!==w)return;I.replaceChildren(),j=null,s&&re(te,f("Try again","Draw it once more",()=>se(t)))}I.classList.remove("ce-old")}function Be(){M.hidden=!M.hidden,$.disabled=!M.hidden,q.querySelector(".ce-paste")?.setAttribute("aria-pressed",String(!M.hidden)),M.hidden?$.focus():M.focus()}function ut(t){v.options={...v.options,view:t},ae({options:v.options}),J()}function ft(t){return L?L.grep?"A text search uses none of these.":t?"Your choice, for every question.":L.lanes&&`Chosen for this question: ${L.lanes}.`:""}async function J(){let t=v.options.view==="lab";$e.lab.setAttribute("aria-pressed",String(t)),q.classList.toggle("ce-in-lab",t);let s=["lanes","weights","relation","direction","depth"].some(g=>v.options[g]);if(pe(E,...Ge(L?.health??null,v,!!L?.grep),o("small",{class:"ce-chosen-by"},ft(s)),...s&&!t?[f("Reset to automatic","Undo your choices",()=>v.reset())]:[]),!t){P.replaceChildren(),le.replaceChildren();return}if(pe(P,Ue(v)),!L||L.grep)return le.replaceChildren();let d=await V(r("lab"),J);if(!d)return;let l=o("div"),C=v.comparing??"",y=async g=>{if(v.comparing=g,!g)return l.replaceChildren();let ee=await V(r("compare",{other:g}),()=>y(g));ee&&l.replaceChildren(H(ee.html))};pe(le,Ve(d,v),o("div",{class:"ce-row"},o("label",{},"Compare with ",o("select",{onchange:g=>y(g.target.value)},o("option",{value:""},"nothing"),...v.known.others.map(g=>o("option",{value:g,selected:g===C},g)))),f("Keep to compare","Compare later answers with this one",async()=>{await V(r("keep"))&&D("Kept: choose \u201Cthe answer you kept\u201D.")})),l),C&&y(C)}let Ne=()=>q.getRootNode().activeElement??null;async function ce(){let t=await V(r("code"),ce);t&&W.replaceChildren(o("pre",{tabindex:0,role:"region","aria-label":"Python code"},t.code),f("Copy","Copy this code into a cell",()=>v.copy(t.code)))}function Pe(t,s){t.childElementCount?t.replaceChildren():s()}function we(){let t=o("input",{type:"text",class:"ce-where",placeholder:"a folder, an installed package, or a git URL","aria-label":"Repository"}),s=o("progress",{max:1,value:0,"aria-label":"Progress"}),d=o("small",{class:"ce-stage"}),l=f("Cancel","Stop loading; the open repository stays open",()=>r("cancel"),{disabled:!0}),C=async()=>{h.replaceChildren(),l.disabled=!1,d.textContent="starting";try{await r("open",{where:t.value},36e5),_.replaceChildren(),m=[],T=null,c.all=[],c.at=-1,z.replaceChildren(),await he()}catch(y){l.disabled=!0,d.textContent="",/cancelled/.test(y.message)?D(y.message):re(y)}};t.addEventListener("keydown",y=>{y.key==="Enter"&&(y.stopPropagation(),C())}),_.replaceChildren(o("div",{class:"ce-row ce-load"},t,f("Load","Load this repository",C),l,s,d)),t.focus()}function mt(){let{known:t}=v;oe.replaceChildren("Explore ",o("b",{},e.get("title")||"nothing"),o("small",{},t.size?` \xB7 ${t.size}`:" \xB7 no repository is open")),Ee.replaceChildren($e.lab,f("Open\u2026","Open another repository",()=>Pe(_,we)),...t.views.map(s=>f(s.title,s.tip,()=>Re(s.key))),f("Python code","Show Python code that computes this view again",()=>Pe(W,ce)),f("Pin","Save this answer under the explorer, as part of the notebook",async()=>{let s=await V(r("pin"));if(s){for(let d=0;d<40&&!document.getElementsByClassName(s.place).length;d++)await new Promise(l=>setTimeout(l,100));document.getElementsByClassName(s.place).length?D("Pinned below."):re({message:"This page was loaded after the cell ran, so it can't show the pin. Run the cell again, then pin."})}}))}async function Re(t){if(ne.dataset.key===t)return ne.dataset.key="",ne.replaceChildren();D("Working \u2026",!0);let s=await V(r("view",{key:t},6e5),()=>Re(t));D(),s&&(ne.dataset.key=s.html?t:"",ne.replaceChildren(H(s.html)))}function je(t){clearTimeout(b),O=t,b=setTimeout(async()=>{if(!L||L.grep)return;let s=performance.now(),d=a,l=await r("fresh").catch(()=>null);if(!(!l||d!==a)){if(l.again)return R();S.replaceChildren(...l.text?[o("span",{},l.text),l.step?f(l.step,"Load the changed files and ask again",()=>ve()):""]:[]),je(/graph is ready/.test(l.text)?500:Math.min(Math.max(2*O,20*(performance.now()-s)),3e4))}},t)}async function ve(){D("Loading the changed files \u2026",!0),await V(r("refresh",{},36e5),ve)&&(m=[],T=null,await R(),c.now&&z.childElementCount&&Z(c.now,{keep:!1}))}function gt(t){let s=q.querySelector(".ce-stage"),d=q.querySelector("progress");t.event==="progress"&&s&&d&&(s.textContent=`${t.stage}${t.total>1?` ${t.done} of ${t.total}`:""}`,d.value=t.total?t.done/t.total:0),t.event==="slow"&&t.is?S.replaceChildren("The kernel has not answered yet: it is busy, or it was restarted. After a restart, run the cell again."):t.event==="slow"&&S.replaceChildren(),t.event==="code"&&W.childElementCount&&ce(),t.event==="failed"&&re({message:t.error,steps:t.steps})}$.addEventListener("focus",Te,{once:!0}),$.addEventListener("input",t=>{t.isComposing||Ae()}),$.addEventListener("compositionend",()=>Ae()),$.addEventListener("blur",()=>setTimeout(de,150)),q.addEventListener("click",t=>{let s=t.target,d=s.closest("a.ce-place"),l=s.closest("button.ce-copy");if(l){let y=l.parentElement?.querySelector("pre")?.cloneNode(!0);for(let g of y?.querySelectorAll(".ce-n")??[])g.remove();v.copy(l.dataset.copy??y?.textContent??"")}if(!d)return;t.preventDefault();let C=/^(.*):(\d+)/s.exec(d.textContent??"");C&&Z(`${d.getAttribute("title")?.match(/^(\S+):\d+/)?.[1]??C[1]}:${C[2]}`)}),q.addEventListener("keydown",t=>{if(t.isComposing)return;let s=t.target,d=[...F.querySelectorAll(".ce-hit-name")],l=d.indexOf(s),C=U.childElementCount,y=t.key==="ArrowDown"?1:t.key==="ArrowUp"?-1:0;if(t.altKey&&(t.key==="ArrowLeft"||t.key==="ArrowRight"))xe(t.key==="ArrowLeft"?-1:1);else if(t.key==="Enter"&&s===$)Q>=0?U.children[Q].dispatchEvent(new MouseEvent("mousedown",{cancelable:!0})):R();else if(t.key==="Enter"&&s===M&&(t.ctrlKey||t.metaKey))R();else if(y&&s===$&&C)dt(y);else if(y&&(s===$||l>=0)){let g=l+y;(g<0?$:d[Math.min(g,d.length-1)])?.focus()}else if(t.key==="Escape")G.classList.contains("on")?v.hide():C?de():z.contains(s)&&s!==q?c.at>0?xe(-1):be():s!==$?$.focus():($.value="",R());else{!t.ctrlKey&&!t.metaKey&&t.stopPropagation();return}t.preventDefault(),t.stopPropagation()}),globalThis.addEventListener("keydown",t=>{let s=t.composedPath()[0];s instanceof Element&&q.contains(s)&&s.toggleAttribute("data-lm-suppress-shortcuts",!(t.ctrlKey||t.metaKey))},{capture:!0,signal:i});let ze=new ResizeObserver(([t])=>{q.classList.toggle("ce-narrow",t.contentRect.width<720),q.classList.toggle("ce-slim",t.contentRect.width<520),clearTimeout(x),x=setTimeout(()=>{j&&I.clientWidth&&Math.abs(v.graphWidth()-u)>30&&se(j,!1)},300)});ze.observe(q),i?.addEventListener("abort",()=>{ze.disconnect();for(let t of[b,x,k])clearTimeout(t)}),e.on("change:place",()=>{let t=e.get("place");t&&t!==c.now&&t!==B&&!z.classList.contains("ce-old")&&Z(t)}),e.on("change:question",()=>{let t=e.get("question");t!==(M.hidden?$.value.trim():M.value.trim())&&(De(t),R())}),e.on("change:options",()=>{e.get("options").view!==v.options.view&&(v.options={...e.get("options")},J())});function De(t){t.includes(`
`)===M.hidden&&Be(),M.hidden?$.value=t:M.value=t}async function he(){h.replaceChildren();let t=await V(r("start",{},6e5),he);t&&(v.known=t,mt(),J(),ie("hits"),e.get("title")||we(),$.value||!M.hidden?await R():(q.classList.add("ce-empty"),We()),e.get("place")&&Z(e.get("place"),{keep:!c.all.length}))}De(e.get("question")??""),await he()}var St=0,ct=()=>++St,eo={render:Et};export{eo as default};
