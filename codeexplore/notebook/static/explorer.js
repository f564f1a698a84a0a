var Fe=`/* Colours for the theme at hand: each is mixed with the colour that the host gives to text, so that it is dark on light
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
`;var Ie=`.ce-root {
  /* JupyterLab and Notebook, then VS Code, then marimo, then neither */
  --bg: var(--jp-layout-color0, var(--vscode-editor-background, var(--background, light-dark(#fff, #181818))));
  --fg: var(--jp-content-font-color1, var(--vscode-editor-foreground, var(--foreground, light-dark(#222, #ddd))));
  --dim: color-mix(in srgb, var(--fg) 74%, var(--bg));
  --line: var(--jp-border-color2, var(--vscode-panel-border, var(--border, light-dark(#ccc, #444))));
  --hot: light-dark(#0b57c4, #8ab8ff);
  --bm25: #2773ed;
  --embedding: #b56305;
  --graph: #078968;
  --signal: #7a7f87;
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
  stroke-dasharray: 8 2;
}
.ce-edge.ce-possible {
  stroke-dasharray: 3 3;
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
`;function o(e,n={},...i){let r=document.createElement(e);for(let[c,a]of Object.entries(n))a==null||a===!1||(c.startsWith("on")?r.addEventListener(c.slice(2),a):c==="value"||c==="checked"?r[c]=a:r.setAttribute(c,a===!0?"":String(a)));return r.append(...i.filter(c=>c!=null&&c!==!1)),r}function F(e,n={},...i){let r=document.createElementNS("http://www.w3.org/2000/svg",e);for(let[c,a]of Object.entries(n))c.startsWith("on")?r.addEventListener(c.slice(2),a):a!==void 0&&r.setAttribute(c,String(a));return r.append(...i),r}var gt=new Set("A B BR BUTTON CAPTION CODE DETAILS DIV EM I IMG LI MARK OL P PRE SMALL SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL H3 H4".split(" ")),xt=/^(class|style|title|role|alt|colspan|scope|open|tabindex|aria-[a-z]+|data-copy)$/;function D(e){let n=document.createDocumentFragment(),i=(r,c)=>{for(let a of r.childNodes){if(a.nodeType===3&&c.appendChild(document.createTextNode(a.textContent??"")),!(a instanceof Element)||!gt.has(a.tagName))continue;let p=document.createElement(a.tagName);for(let{name:w,value:u}of a.attributes)xt.test(w)&&!/url\(/i.test(u)&&p.setAttribute(w,u);let x=a.getAttribute("src")??"";a.tagName==="IMG"&&x.startsWith("data:image/svg+xml")&&p.setAttribute("src",x),a.matches("a.ce-place")&&p.setAttribute("href","#"),i(a,p),c.appendChild(p)}};return i(new DOMParser().parseFromString(e,"text/html").body,n),n}var f=(e,n,i,r={})=>o("button",{type:"button",title:n,onclick:i,...r},e);function Ke(e){let n=o("textarea",{value:e});document.body.append(n),n.select(),document.execCommand("copy"),n.remove()}function He(e,n){let{options:i,known:r}=n;return r.lanes.map(([c,a],p)=>{let[,x,w,u,v]=e?.[p]??[c,!0,1,"",!1],$=i.lanes?i.lanes.includes(c):x,B=i.weights?.[c]??w,m=o("input",{type:"checkbox",role:"switch",checked:$,"aria-label":a,onchange:T=>{let I=n.options.lanes??(e??[]).filter(M=>M[1]).map(M=>M[0]);n.choose({lanes:T.target.checked?[...I,c]:I.filter(M=>M!==c)})}}),L=o("small",{},`\xD7${Number(B).toFixed(1)}`),A=o("input",{type:"range",min:0,max:3,step:.1,value:B,disabled:!$,"aria-label":`Weight of ${a}`,title:`How much it counts (${c})`,oninput:T=>{L.textContent=`\xD7${Number(T.target.value).toFixed(1)}`,n.choose({weights:{...n.options.weights,[c]:Number(T.target.value)}},120)}});return o("span",{class:`ce-lane ce-of-${c}`},o("label",{},m," ",a),A,L,o("small",{class:v?"ce-bad ce-health":"ce-health"},u))})}function Ge(e){let{options:n,known:i}=e,r=(w,u,v)=>o("label",{},w," ",o("input",{value:n[u]??"",...v,onchange:$=>e.choose({[u]:v.type==="number"?Number($.target.value)||null:$.target.value})})),c=(w,u,v)=>o("label",{},o("input",{type:"checkbox",checked:n[u]??v,onchange:$=>e.choose({[u]:$.target.checked})}),` ${w}`),a=(w,u,v)=>o("label",{},w," ",o("select",{onchange:$=>e.choose({[u]:$.target.value})},...v.map(([$,B])=>o("option",{value:B,selected:String(n[u]??"")===String(B)},$)))),p=["automatic",""],x=w=>w.map(u=>[u,u]);return o("div",{class:"ce-row ce-options"},a("Relation","relation",[p,...x(i.relations)]),a("Direction","direction",[p,["towards it","in"],["away from it","out"],["both","both"]]),a("Depth","depth",[p,...x([1,2,3,4,5,6,7,8,9,10])]),a("Fusion","fusion",[["rrf (usual)",""],...x(i.fusions.slice(1))]),r("rrf_k","rrf_k",{type:"number",min:1,max:1e3,placeholder:i.defaults.rrf_k}),r("Hits","top_k",{type:"number",min:1,max:200,placeholder:i.defaults.top_k}),r("File paths","paths",{placeholder:"src/**, *_api.py"}),a("Language","language",[["all",""],...i.languages]),c("one per file","one_per_file",!1),c("include tests","tests",!0),f("Reset to automatic","Undo your choices: the program chooses for each question again",()=>e.reset()))}var _e={question:["Question","What is a word?"],reading:["Query plan","What is a query plan?"],lanes:["Lanes","What is a lane?"],fusion:["Fusion","What is fusion?"],signals:["Signals","What is a signal?"],ranking:["Ranking","What is the ranking?"]};function Ue(e,n){return o("ol",{class:"ce-lab","aria-label":"Steps of the search"},...e.steps.map(([i,r,c],a)=>o("li",{class:"ce-step"},o("b",{},`${a+1} ${_e[i][0]}`)," ",D(r),o("details",{open:n.folds.has(i)},o("summary",{onclick:()=>n.folds.has(i)?n.folds.delete(i):n.folds.add(i)},_e[i][1]),D(c)))))}var de=class{constructor(n=[]){this.all=n,this.at=n.length-1}get now(){return this.all[this.at]??""}go(n){n!==this.now&&(this.all=[...this.all.slice(0,this.at+1),n].slice(-50),this.at=this.all.length-1)}step(n){let i=this.all[this.at+n];return i===void 0?"":(this.at+=n,i)}};function Ve(e){if(!e.startsWith("/")||e.length<2)return null;let n=/^\/(.+)\/(i?)$/.exec(e);return n?{pattern:n[1],regex:!0,ignore_case:n[2]==="i"}:{pattern:e.slice(1),regex:!1,ignore_case:!1}}function be(e){return Object.fromEntries(Object.entries(e).filter(([,n])=>n!=null&&n!==""))}function ve(e,n,i,r){let c=Math.min(4,Math.max(.2,e.k*n)),a=c/e.k;return{k:c,x:i-(i-e.x)*a,y:r-(r-e.y)*a}}function Ye(e,n){if(e===n)return`M${e.x+e.width/2} ${e.y-4}c26 -16 26 24 0 8`;if(Math.abs(e.x-n.x)<(e.width+n.width)/2){let p=Math.max(e.x+e.width/2,n.x+n.width/2)+18;return`M${e.x+e.width/2} ${e.y}C${p} ${e.y} ${p} ${n.y} ${n.x+n.width/2+5} ${n.y}`}let i=e.x<n.x?1:-1,r=e.x+i*e.width/2,c=n.x-i*(n.width/2+5),a=(r+c)/2;return`M${r} ${e.y}C${a} ${e.y} ${a} ${n.y} ${c} ${n.y}`}function Xe(e,n,i){let r=h=>i.walk({...e,...h}),c=o("div",{class:"ce-details"}),a=async h=>{for(let K of w.querySelectorAll(".ce-box"))K.classList.toggle("ce-chosen",K.getAttribute("data-id")===h);p.value=h,x.disabled=!1;let b=await i.tried(i.ask("details",{symbol:h}),()=>a(h));if(!b)return;let S=e.expanded??[],O=S.includes(h),q=()=>r({chosen:h,expanded:O?S.filter(K=>K!==h):[...S,h]});c.replaceChildren(D(b.html),f("Open source","Open its source in place",()=>i.open(h)),e.walk==="path"||h===e.symbol?"":f(O?`Remove its ${e.walk}`:`Add its ${e.walk}`,"Expand this box in place: one more step of the walk from here",q))},p=o("select",{size:Math.max(2,Math.min(8,n.list.length)),class:"ce-list","aria-label":"Symbols in the graph"},...n.list.map(([h,b,S,O])=>o("option",{value:h},`${b<0?"possible":b||"start"}  ${S}  ${O}`)));p.addEventListener("change",()=>a(p.value)),p.addEventListener("dblclick",()=>i.open(p.value));let x=f("Start here","Show the graph around the chosen symbol",()=>r({symbol:p.value,others:[],opened:[],expanded:[],walk:e.walk==="path"?"callers":e.walk,trail:[...e.trail??[],e.symbol]}));x.disabled=!0;let{svg:w,fit:u}=bt(n,h=>{h.members?r({opened:[...e.opened??[],h.id]}):a(h.id)},i),v=[...e.target?["path"]:[],...i.known.walks],$=(h,b)=>h.map(S=>o("option",{value:S,selected:S===b},S)),B=(h,b,S,O)=>o("label",{},h," ",o("select",{onchange:q=>O(q.target.value)},...$(b,S))),m=(h,b,S,O)=>o("label",{},h," ",o("input",{type:"number",value:b,...S,onchange:q=>O(Number(q.target.value))})),L=e.kinds??null,A=o("details",{class:"ce-more",open:i.moreGraph},o("summary",{onclick:()=>{i.moreGraph=!i.moreGraph}},"Graph options"),o("div",{class:"ce-row"},m("Minimum confidence",e.confidence??i.known.defaults.confidence,{min:0,max:1,step:.05},h=>r({confidence:h})),o("label",{},o("input",{type:"checkbox",checked:e.tests??!0,onchange:h=>r({tests:h.target.checked})})," include tests"),B("Group by",i.known.groupings,e.by??i.known.groupings[0],h=>r({by:h,opened:[]})),...i.known.edges.map(h=>o("label",{},o("input",{type:"checkbox","data-kind":h,checked:L?L.includes(h):!1,onchange:b=>{let S=[...L??[]].filter(O=>O!==h);r({kinds:b.target.checked?[...S,h]:S.length?S:null})}}),` ${h}`)))),T=o("input",{type:"search",placeholder:"Find in graph","aria-label":"Find in graph",oninput:h=>{let b=h.target.value.toLowerCase();for(let S of p.options)S.hidden=!!b&&!S.text.toLowerCase().includes(b);for(let S of w.querySelectorAll(".ce-box"))S.classList.toggle("ce-match",!!b&&(S.querySelector("title")?.textContent??"").toLowerCase().includes(b))},onkeydown:h=>{if(h.key!=="Enter")return;let b=[...p.options].filter(q=>!q.hidden),S=b.findIndex(q=>q.selected),O=b[(S+1)%b.length];O&&a(O.value)}}),I=o("div",{class:"ce-said"},D(n.said)),M=o("div",{class:"ce-picture",title:"Drag to move; Ctrl and the wheel zoom"},w);e.chosen&&a(e.chosen);let V=e.trail??[],k=o("div",{class:"ce-row"},f("\u2212","Zoom out",()=>u(.8),{"aria-label":"Zoom out"}),f("+","Zoom in",()=>u(1.25),{"aria-label":"Zoom in"}),f("Fit","Show all of it",()=>u(0)),e.opened?.length?f("Close groups","Show the groups of the first view again",()=>r({opened:[]})):null,n.list.length>12?T:null);return[o("div",{class:"ce-row"},B("Show",v,e.walk,h=>r({walk:h,kinds:null,opened:[],expanded:[]})),m("Steps",e.depth??1,{min:1,max:10,disabled:!i.known.deep.includes(e.walk)},h=>r({depth:Math.max(1,Math.min(10,h)),opened:[]})),V.length?f("Back to before","The start before",()=>r({symbol:V.at(-1),trail:V.slice(0,-1),opened:[],expanded:[]})):null,A),...e.walk==="path"?[k,M,I]:[I,k,M],o("div",{class:"ce-row ce-reached"},p,x),c]}function bt(e,n,i){let[r,c]=e.size,a=Math.max(i.graphWidth(),240),p=Math.min(780,Math.max(80,c+40)),x=`ce-arrow-${Math.random().toString(36).slice(2)}`,w=F("g"),u=F("svg",{class:"ce-svg",width:a,height:p,role:"group","aria-label":e.title});u.append(F("defs",{},F("marker",{id:x,viewBox:"0 0 6 6",refX:5,refY:3,markerWidth:7,markerHeight:7,orient:"auto"},F("path",{d:"M0 0L6 3L0 6z",class:"ce-head"}))),w);for(let[m,L,A,T,I]of e.links)w.append(F("path",{class:`ce-edge ce-${I} ce-kind-${A}`,d:Ye(e.boxes[m],e.boxes[L]),"marker-end":`url(#${x})`},F("title",{},T)));for(let m of e.boxes){let L=F("g",{class:`ce-box${m.start?" ce-start":""}${m.certain?"":" ce-unsure"}${m.test?" ce-test":""}`,tabindex:0,role:"button","data-id":m.id,transform:`translate(${m.x} ${m.y})`,"aria-label":m.title},F("title",{},m.title),F("rect",{x:-m.width/2,y:-12,width:m.width,height:24,rx:m.members?12:3}),F("text",{"text-anchor":"middle",y:4},m.label));L.addEventListener("click",()=>n(m)),L.addEventListener("dblclick",()=>m.members||i.open(m.id)),L.addEventListener("keydown",A=>{let T=A.key;T!=="Enter"&&T!==" "||(A.preventDefault(),A.stopPropagation(),T==="Enter"&&L.classList.contains("ce-chosen")&&!m.members?i.open(m.id):n(m))}),w.append(L)}let v={x:0,y:0,k:1},$=()=>w.setAttribute("transform",`translate(${v.x} ${v.y}) scale(${v.k})`),B=m=>{if(m)v=ve(v,m,a/2,p/2);else{let L=Math.min(1,Math.max(.82,(a-16)/r)),A=e.boxes.some(T=>T.start&&T.x>0);v={k:L,x:r*L<=a?a/2:A?a-8-r*L/2:8+r*L/2,y:c*L>p?8+c*L/2:p/2}}$()};return B(0),u.addEventListener("wheel",m=>{if(!m.ctrlKey&&!m.metaKey)return;m.preventDefault();let L=u.getBoundingClientRect();v=ve(v,m.deltaY<0?1.15:1/1.15,m.clientX-L.left,m.clientY-L.top),$()},{passive:!1}),u.addEventListener("pointerdown",m=>{if(m.target.closest(".ce-box"))return;let L={x:m.clientX-v.x,y:m.clientY-v.y};u.setPointerCapture(m.pointerId);let A=T=>{v={...v,x:T.clientX-L.x,y:T.clientY-L.y},$()};u.addEventListener("pointermove",A),u.addEventListener("pointerup",()=>u.removeEventListener("pointermove",A),{once:!0})}),{svg:u,fit:B}}function we(e,n){return e.map(([i,r,c,a])=>{if(!r&&!c&&!a?.length)return i;if(!a?.length)return o(c?"mark":"span",{class:r||void 0},i);let p=o("a",{href:"#",class:`ce-link ${r??""}`,"data-id":a[0],"data-ids":a.length>1?a.join(`
`):void 0},c?o("mark",{},i):i);p.addEventListener("click",x=>{x.preventDefault(),x.altKey?n.walk({symbol:a[0],others:a.slice(1),walk:"callers"}):a.length>1?vt(p,a,n):n.open(a[0])}),p.addEventListener("mouseenter",()=>Qe(p,a[0],n)),p.addEventListener("focus",()=>Qe(p,a[0],n));for(let x of["mouseleave","blur"])p.addEventListener(x,()=>{n.peek.contains(document.activeElement)||n.hide()});return p})}async function vt(e,n,i){let r=await Promise.all(n.slice(0,12).map(c=>i.ask("peek",{symbol:c}).catch(()=>null)));i.showPeek(e,o("div",{},o("b",{},"This name may mean:"),...r.filter(Boolean).map(c=>f(`${c.name}  ${c.place}`,"Open its definition",()=>i.open(c.target),{class:"ce-row-button"})))),i.peek.querySelector("button")?.focus()}async function Qe(e,n,i){if(await new Promise(c=>setTimeout(c,150)),!e.matches(":hover, :focus"))return;let r=await i.ask("peek",{symbol:n}).catch(()=>null);!r||!e.isConnected||!e.matches(":hover, :focus")||i.showPeek(e,o("div",{},o("code",{},r.signature||r.name),o("div",{},r.doc),o("small",{},[r.counts,r.place,"Alt+click: callers"].filter(Boolean).join(" \xB7 "))))}function Ze(e,n){let i=String(e.lines.at(-1)?.[0]??1).length,r=e.lines.map(([u,v])=>o("div",{class:u===e.at?"ce-line ce-at":"ce-line"},o("span",{class:"ce-no",style:`width:${i+1}ch`},String(u)),o("span",{class:"ce-text"},...we(v,n)))),c=(u,v)=>u?[f(v,"The source is shown in parts",()=>n.open(e.row.target,{first:u,keep:!1}))]:[],a=f("Copy","Copy this code",()=>n.copy(e.lines.map(([,u])=>u.map(v=>v[0]).join("")).join(`
`))),p=e.crumbs.flatMap(([u,v]=["",""],$)=>[$?" \u203A ":"",f(v,u,()=>n.open(u),{class:"ce-crumb-button"})]),x=e.edit.href?o("a",{class:"ce-edit",title:"Open the file in the editor",...e.edit},e.row.place):o("span",{class:"ce-edit"},e.row.place),w=e.row.kind==="text"?[]:[f("Callers","Draw what calls it (Alt+click a name)",()=>n.walk({symbol:e.row.target,walk:"callers"}))];return[o("div",{class:"ce-bar"},f("\u2190","Back (Alt+Left)",()=>n.step(-1),{class:"ce-back","aria-label":"Back"}),f("\u2192","Forward (Alt+Right)",()=>n.step(1),{"aria-label":"Forward"}),o("nav",{class:"ce-crumb","aria-label":"Where this source is"},...p),x,...w,a,f("\xD7","Close the source (Escape)",()=>n.close(),{"aria-label":"Close the source"})),e.note&&o("p",{class:"ce-dim"},e.note),...c(e.before,"Lines before"),o("pre",{class:"ce-source codeexplore",tabindex:0,role:"region","aria-label":`Source of ${e.row.name}`},...r),...c(e.after,`Lines after, of ${e.of}`)].filter(Boolean)}var wt=["bm25","embedding","graph"],yt=e=>wt.find(n=>e===n||e.endsWith(`-${n}`))??"signal";function Je(e,n){let i=f("","Open its source",()=>n.open(e.target),{class:"ce-hit-name","data-target":e.target}),r=Math.max(e.name.lastIndexOf("."),e.name.lastIndexOf(":"))+1;i.append(o("small",{},e.name.slice(0,r)),o("b",{},e.name.slice(r)));let c=(e.bars??[]).map(([x,w])=>o("i",{class:`ce-share ce-of-${yt(x)}`,style:`width:${(w*100).toFixed(1)}%`,title:x})),a=o("div",{class:"ce-reason"}),p=e.bars&&f("why","Show how the score adds up",async()=>{let x=p.getAttribute("aria-expanded")==="true";if(p.setAttribute("aria-expanded",String(!x)),n.whys[x?"delete":"add"](e.target),x)return a.replaceChildren();let w=await n.tried(n.ask("why",{rank:e.rank}));w&&a.replaceChildren(o("code",{class:"ce-sum"},w.sum),D(w.html))},{class:"ce-why","aria-expanded":"false","aria-label":`Why hit ${e.rank}`});return p&&(n.options.explain||n.whys.has(e.target))&&p.click(),o("li",{class:"ce-hit"},o("div",{class:"ce-hit-head"},o("span",{class:"ce-rank"},`${e.rank}`),o("div",{},i," ",o("small",{},`${e.kind} ${e.place}`)," ",e.role&&o("em",{},e.role))),e.signature&&o("code",{class:"ce-signature"},e.signature),e.doc&&o("div",{class:"ce-doc"},e.doc),...(e.lines??[]).map(([x,w])=>o("code",{class:"ce-signature"},`${x}  `,...we(w,n))),o("div",{class:"ce-hit-why"},e.bars&&o("span",{class:"ce-bars","aria-hidden":"true"},...c),o("small",{class:"ce-sentence"},e.why),p||null),a)}function et(e,n){let i=e.verdict&&o("p",{class:`ce-verdict ce-${e.verdict.kind}`},o("b",{},{found:"found",none:"none",possible:"may be",unknown:"unknown"}[e.verdict.kind]??"")," ",e.verdict.text);return[e.words&&o("p",{class:e.confidence==="none"?"ce-verdict ce-none":"ce-verdict"},e.words),i,...(e.notices??[]).map(r=>o("p",{class:"ce-dim"},r)),e.steps?.length?o("div",{class:"ce-row"},...e.steps.map(r=>n.stepButton(r))):null].filter(Boolean)}var ye=class extends Error{constructor(n){super(n.error),this.steps=n.steps??[]}};function tt(e,n,i=()=>{}){let r=new Map,c=Math.random().toString(36).slice(2),a=0,p=!1,x=(u,v)=>{if(u?.event)return i(u);let $=r.get(u?.id);$&&(r.delete(u.id),p&&i({event:"slow",is:p=!1}),u.ok?$.ok({...u,buffers:v}):$.no(new ye(u)))};e.on("msg:custom",x),n?.addEventListener("abort",()=>e.off("msg:custom",x));let w=6e4;return(u,v={},$=w)=>new Promise((B,m)=>{let L=`${c}-${++a}`;r.set(L,{ok:B,no:m});try{e.send({id:L,kind:u,args:v})}catch{return r.delete(L),m(new Error("The kernel was restarted or has ended. Run the cell again."))}$===w&&u!=="fresh"&&setTimeout(()=>r.has(L)&&i({event:"slow",is:p=!0}),4e3),setTimeout(()=>r.delete(L)&&m(new Error("No answer yet: the kernel is busy or gone.")),$)})}async function ot(e){let n="buffer"in e?new Uint8Array(e.buffer,e.byteOffset,e.byteLength):e,i=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(i).text()}function nt(e,n,i=10){let r=n.toLowerCase().replace(/\s+/g,"");if(!r)return[];let c=[];for(let a=0;a<e.length;a++){let p=e[a],x=kt(p,r);x>0&&c.push([x-a/e.length-p.low.length/1e3,p])}return c.sort((a,p)=>p[0]-a[0]).slice(0,i).map(a=>a[1])}function kt(e,n){if(e.name===n)return 1e3;if(e.name.startsWith(n))return 800;if(e.name.includes(n))return 600;if(e.low.includes(n))return 400;let i=-1,r=0;for(let c of n){let a=e.low.indexOf(c,i+1);if(a<0)return 0;i>=0&&(r+=a-i-1),i=a}return Math.max(1,200-r)}var rt=e=>e.split(`
`).filter(Boolean).map(n=>{let[i,r,c]=n.split("	"),a=i.toLowerCase();return{fqn:i,low:a,name:a.slice(Math.max(a.lastIndexOf("."),a.lastIndexOf(":"))+1),kind:r,id:c}});function at(e){let n=/[\w.:$]+$/.exec(e);return n?[e.slice(0,n.index),n[0]]:[e,""]}async function Ct({model:e,el:n,signal:i}){let r=tt(e,i,ht),c=new de([...e.get("history")??[]]),a=0,p=0,x=0,w=0,u=0,v=0,$=0,B=2e3,m="",L="",A=[],T=null,I=[],M=null,V=null,k=o("input",{type:"text",class:"ce-ask-input",role:"combobox","aria-label":"Question or name","aria-expanded":"false","aria-autocomplete":"list","aria-controls":`ce-names-${it()}`,autocomplete:"off",spellcheck:"false",placeholder:"a name, \u201Cwhat calls \u2026?\u201D, a description, or /text"}),h=o("ul",{class:"ce-names",role:"listbox",id:k.getAttribute("aria-controls"),"aria-label":"Names"}),b=o("textarea",{rows:8,"aria-label":"Bug report",placeholder:"an issue, an error message or a stack trace",hidden:!0}),S=o("span",{class:"ce-title"}),O=o("div",{class:"ce-status",role:"status","aria-live":"polite"}),q=o("div",{class:"ce-alert"}),K=o("div",{class:"ce-stale"}),ke=o("div",{class:"ce-row ce-lanes"}),pe=o("div"),Y=o("div",{class:"ce-code-box"}),se=o("div"),Z=o("div",{class:"ce-view"}),ne=o("div",{class:"ce-compare"}),H=o("div",{class:"ce-found"}),j=o("ol",{class:"ce-rows","aria-label":"Hits"}),ue=o("div",{class:"ce-side"}),N=o("div",{class:"ce-open"}),R=o("div",{class:"ce-graph"}),X=o("div",{class:"ce-peek",role:"tooltip"}),Ce={lab:f("Lab","Every step of the search with its numbers and controls",()=>pt(e.get("options").view==="lab"?"ask":"lab"),{"aria-pressed":"false"})},Le=o("div",{class:"ce-tabs",role:"group","aria-label":"Show"},f("Hits","Show the hits",()=>ie("hits")),f("Source and graph","Show the source and the graph",()=>ie("side"))),$e=o("span",{class:"ce-row ce-heading-buttons"}),W=o("div",{class:"ce-root"},o("style",{},Fe,Ie),o("div",{class:"ce-row ce-heading"},S,$e),se,o("div",{class:"ce-ask"},k,f("Ask","Ask this question (Enter)",()=>P()),f("Paste a report","Open a larger box for text of several lines, such as a stack trace",()=>qe(),{class:"ce-paste","aria-pressed":"false"}),h),b,ke,pe,Y,Z,o("div",{class:"ce-state"},O,q,K),Le,o("div",{class:"ce-body"},o("div",{class:"ce-hits"},ne,H,j),ue),X);ue.append(N,R),n.append(W);let y={ask:r,peek:X,known:null,options:{...e.get("options")},folds:new Set,whys:new Set,moreGraph:!1,open:U,step:he,close:fe,walk:ee,choose:dt,tried:_,stepButton:Ee,showPeek:st,hide:()=>X.classList.remove("on"),copy:t=>{Ke(t),z("Copied.")},graphWidth:()=>(R.clientWidth||ue.clientWidth||W.clientWidth)-4,reset:()=>{let{view:t,explain:s}=y.options;y.options=be({view:t,explain:s}),re({options:y.options}),P(),Q()}};function z(t="",s=!1){O.textContent=t,O.classList.toggle("ce-busy",s)}function J(t,...s){z();for(let d of[H,j,N,R])d.classList.remove("ce-old");q.replaceChildren(o("div",{role:"alert",class:"ce-bad"},o("span",{},`\u26A0 ${t.message??t}`),...(t.steps??[]).map(Ee),...s.filter(Boolean),!e.get("title")&&f("Open\u2026","Open a repository",me),/kernel/.test(t.message)&&f("Try again","Ask once more",()=>le())))}async function _(t,s){try{return await t}catch(d){return J(d,s&&!d.steps?.length?f("Try again","Try once more",s):null),null}}function Ee(t){let s={ask:()=>{k.value=t.argument||k.value,P()},grep:()=>{k.value=`/${t.argument}`,P()},source:()=>U(t.argument),refresh:()=>ge()};return s[t.kind]?f(t.label,"The next step",()=>{q.replaceChildren(),s[t.kind]()},{class:"ce-next"}):f(`Copy: ${t.label}`,"Copy this call, to run it in a cell",()=>y.copy(t.label.split(" ")[0]),{class:"ce-next"})}function re(t){for(let[s,d]of Object.entries(t))e.set(s,d);try{e.save_changes()}catch{}}function ce(t,...s){let d=C=>`${C.getAttribute("aria-label")??C.closest("label")?.firstChild?.textContent??C.textContent}`,l=t.contains(Be())?Be():null,E=l&&d(l);if(t.replaceChildren(...s),!l)return;let g=[...t.querySelectorAll("button, input, select, summary, [tabindex]")];(g.find(C=>d(C)===E&&!C.disabled)??g.find(C=>!C.disabled))?.focus()}function st(t,s){X.replaceChildren(s);let d=t.getBoundingClientRect(),l=W.getBoundingClientRect();Object.assign(X.style,{left:`${Math.max(0,Math.min(d.left-l.left,l.width-320))}px`,top:`${d.bottom-l.top+2}px`}),X.classList.add("on")}async function Se(){T??=r("names").then(async t=>{A=rt(await ot(t.buffers[0]))}).catch(()=>{T=null}),await T}let G=-1;async function Te(){let t=k.value;if(A.length||await Se(),t!==k.value)return;let[s,d]=t.startsWith("/")?["",""]:at(t),l=d.length>1||!s&&d?nt(A,d,10):[],E=I.filter(g=>g!==t&&g.toLowerCase().includes(t.toLowerCase())).slice(0,3);G=-1,h.replaceChildren(...l.map(g=>Ae(()=>s.trim()?Me(s+g.fqn):(ae(),U(g.id)),g.fqn,g.kind)),...(t?E:[]).map(g=>Ae(()=>{Me(g),P()},g,"asked before"))),Oe(h.childElementCount>0)}function Ae(t,s,d){return o("li",{role:"option",id:`ce-name-${it()}`,"aria-selected":"false",onmousedown:l=>{l.preventDefault(),t()},onclick:()=>{}},o("span",{},s),o("small",{},d))}function Me(t){k.value=t,ae(),k.focus()}function ae(){G=-1,h.replaceChildren(),Oe(!1)}function Oe(t){k.setAttribute("aria-expanded",String(t)),k.removeAttribute("aria-activedescendant")}function ct(t){let s=[...h.children];G=Math.max(-1,Math.min(s.length-1,G+t)),s.forEach((d,l)=>d.setAttribute("aria-selected",String(l===G))),G>=0?k.setAttribute("aria-activedescendant",s[G].id):k.removeAttribute("aria-activedescendant")}async function P(){let t=++a,s=b.hidden?k.value.trim():b.value.trim();if(clearTimeout(v),ae(),q.replaceChildren(),K.replaceChildren(),re({question:s}),!s)return M=null,W.classList.add("ce-empty"),j.replaceChildren(),ne.replaceChildren(),R.replaceChildren(),z(),We();W.classList.remove("ce-empty"),z("Searching \u2026",!0);for(let l of[H,j,R])l.classList.add("ce-old");let d=Ve(s);try{let l=await(d?r("grep",d):r("search",{question:s,options:y.options}));if(t!==a)return;b.hidden&&!I.includes(s)&&I.unshift(s),M={...l,grep:!!d},s!==L&&N.replaceChildren(),L=s,z(`${l.said} in ${l.took} ms`),H.replaceChildren(...et(l,y),...l.reading?[o("div",{class:"ce-reading"},D(l.reading))]:[]),j.replaceChildren(...l.rows.map(E=>Je(E,y))),Y.childElementCount&&te(),!l.rows.length&&!l.verdict&&j.append(o("li",{},d?"No file contains it.":"No hits."));for(let E of[H,j])E.classList.remove("ce-old");lt(l),Q(),d||!l.start?(R.replaceChildren(),R.classList.remove("ce-old")):ee({symbol:l.start,walk:l.walk,depth:l.depth,target:l.target}),Re(2e3)}catch(l){if(t!==a)return;M=null;for(let g of[H,j,R])g.replaceChildren();Q();let E=()=>{k.value=`/${d?.pattern}`,P()};J(l,d?.regex&&f("Search for the text as it is","Without a regular expression",E),Object.keys(y.options).some(g=>g!=="view"&&g!=="explain")&&f("Reset to automatic","Undo your choices and ask again",()=>y.reset()))}}function lt(t){if(!t.choices?.length)return;let s=t.choices.map(l=>l[0]),d=l=>ee({symbol:l[0],others:l.slice(1),walk:t.walk,depth:t.depth});H.append(o("div",{class:"ce-row ce-choices"},"The name may mean:",...t.choices.slice(0,8).map(([l,E,g])=>f(`${E} (${g})`,"Show its graph",()=>d([l]))),f(`All ${s.length}`,"Show the graph around all of them",()=>d(s))))}function dt(t,s=0){y.options=be({...y.options,...t}),re({options:y.options}),clearTimeout(v),(k.value.trim()||b.value.trim())&&(v=setTimeout(P,s))}function We(){H.replaceChildren(o("p",{},e.get("title")?"Type a name or a question, or start with one of these:":"Open a repository to ask about it."),o("div",{class:"ce-row ce-starters"},...y.known.starters.map(t=>f(t,"Ask this question",()=>{k.value=t,P()}))),D(y.known.summary)),H.classList.remove("ce-old")}async function U(t,{keep:s=!0,first:d=0}={}){let l=++p;y.hide(),q.replaceChildren(),N.classList.add("ce-old");let E=O.textContent??"",g="Opening the source \u2026";O.classList.contains("ce-busy")||z(g,!0);let C=await _(r("source",{target:t,first:d}),()=>U(t,{keep:s,first:d}));if(O.textContent===g&&l===p&&z(E===g?"":E),!C||l!==p)return N.classList.remove("ce-old");s&&c.go(t),re({history:c.all}),m=C.row.target,N.classList.remove("ce-old"),N.replaceChildren(...Ze(C,y)),ie("side");for(let je of j.querySelectorAll(".ce-hit-name"))je.closest("li")?.classList.toggle("ce-current",je.dataset.target===t);let oe=N.querySelector(".ce-at"),xe=N.querySelector(".ce-source");oe&&oe.offsetTop>xe.clientHeight&&(xe.scrollTop=oe.offsetTop-40),d||xe.focus({preventScroll:!0}),Y.childElementCount&&te(),C.row.kind!=="text"&&C.row.kind!=="module"&&ee({symbol:C.row.target,walk:M?.walk&&M.walk!=="path"?M.walk:"callers"},!1)}function he(t){let s=c.step(t);s?U(s,{keep:!1}):t<0&&fe()}function fe(){N.replaceChildren(),ie("hits"),(j.querySelector(".ce-current .ce-hit-name")??j.querySelector(".ce-hit-name")??k).focus()}function ie(t){W.classList.toggle("ce-show-side",t==="side"),[...Le.children].forEach((s,d)=>s.setAttribute("aria-pressed",String(t==="side"==(d===1))))}async function ee(t,s=!0){let d=++x;R.classList.add("ce-old");let{trail:l,chosen:E,...g}=t;u=y.graphWidth(),V=t;try{let C=await r("graph",{...g,width:u});if(d!==x)return;ce(R,...Xe(t,C,y)),Y.childElementCount&&te()}catch(C){if(d!==x)return;R.replaceChildren(),V=null,s&&J(C,f("Try again","Draw it once more",()=>ee(t)))}R.classList.remove("ce-old")}function qe(){b.hidden=!b.hidden,k.disabled=!b.hidden,W.querySelector(".ce-paste")?.setAttribute("aria-pressed",String(!b.hidden)),b.hidden?k.focus():b.focus()}function pt(t){y.options={...y.options,view:t},re({options:y.options}),Q()}async function Q(){let t=y.options.view==="lab";Ce.lab.setAttribute("aria-pressed",String(t)),W.classList.toggle("ce-in-lab",t);let s=["lanes","weights","relation","direction","depth"].some(C=>y.options[C]);if(ce(ke,...He(M?.health??null,y),...s&&!t?[f("Reset to automatic","Undo your choices",()=>y.reset())]:[]),!t){pe.replaceChildren(),ne.replaceChildren();return}if(ce(pe,Ge(y)),!M||M.grep)return ne.replaceChildren();let d=await _(r("lab"),Q);if(!d)return;let l=o("div"),E=y.comparing??"",g=async C=>{if(y.comparing=C,!C)return l.replaceChildren();let oe=await _(r("compare",{other:C}),()=>g(C));oe&&l.replaceChildren(D(oe.html))};ce(ne,Ue(d,y),o("div",{class:"ce-row"},o("label",{},"Compare with ",o("select",{onchange:C=>g(C.target.value)},o("option",{value:""},"nothing"),...y.known.others.map(C=>o("option",{value:C,selected:C===E},C)))),f("Keep to compare","Compare later answers with this one",async()=>{await _(r("keep"))&&z("Kept: choose \u201Cthe answer you kept\u201D.")})),l),E&&g(E)}let Be=()=>W.getRootNode().activeElement??null;async function te(){let t=await _(r("code"),te);t&&Y.replaceChildren(o("pre",{tabindex:0,role:"region","aria-label":"Python code"},t.code),f("Copy","Copy this code into a cell",()=>y.copy(t.code)))}function Pe(t,s){t.childElementCount?t.replaceChildren():s()}function me(){let t=o("input",{type:"text",class:"ce-where",placeholder:"a folder, an installed package, or a git URL","aria-label":"Repository"}),s=o("progress",{max:1,value:0,"aria-label":"Progress"}),d=o("small",{class:"ce-stage"}),l=f("Cancel","Stop loading; the open repository stays open",()=>r("cancel"),{disabled:!0}),E=async()=>{q.replaceChildren(),l.disabled=!1,d.textContent="starting";try{await r("open",{where:t.value},36e5),se.replaceChildren(),A=[],T=null,c.all=[],c.at=-1,N.replaceChildren(),await le()}catch(g){l.disabled=!0,d.textContent="",/cancelled/.test(g.message)?z(g.message):J(g)}};t.addEventListener("keydown",g=>{g.key==="Enter"&&(g.stopPropagation(),E())}),se.replaceChildren(o("div",{class:"ce-row ce-load"},t,f("Load","Load this repository",E),l,s,d)),t.focus()}function ut(){let{known:t}=y;S.replaceChildren("Explore ",o("b",{},e.get("title")||"nothing"),o("small",{},t.size?` \xB7 ${t.size}`:" \xB7 no repository is open")),$e.replaceChildren(Ce.lab,f("Open\u2026","Open another repository",()=>Pe(se,me)),...t.views.map(s=>f(s.title,s.tip,()=>Ne(s.key))),f("Python code","Show Python code that computes this view again",()=>Pe(Y,te)),f("Pin","Save this answer under the explorer, as part of the notebook",async()=>{let s=await _(r("pin"));if(s){for(let d=0;d<40&&!document.getElementsByClassName(s.place).length;d++)await new Promise(l=>setTimeout(l,100));document.getElementsByClassName(s.place).length?z("Pinned below."):J({message:"This page was loaded after the cell ran, so it can't show the pin. Run the cell again, then pin."})}}))}async function Ne(t){if(Z.dataset.key===t)return Z.dataset.key="",Z.replaceChildren();z("Working \u2026",!0);let s=await _(r("view",{key:t},6e5),()=>Ne(t));z(),s&&(Z.dataset.key=s.html?t:"",Z.replaceChildren(D(s.html)))}function Re(t){clearTimeout($),B=t,$=setTimeout(async()=>{if(!M||M.grep)return;let s=performance.now(),d=a,l=await r("fresh").catch(()=>null);if(!(!l||d!==a)){if(l.again)return P();K.replaceChildren(...l.text?[o("span",{},l.text),l.step?f(l.step,"Load the changed files and ask again",()=>ge()):""]:[]),Re(/graph is ready/.test(l.text)?500:Math.min(Math.max(2*B,20*(performance.now()-s)),3e4))}},t)}async function ge(){z("Loading the changed files \u2026",!0),await _(r("refresh",{},36e5),ge)&&(A=[],T=null,await P(),c.now&&N.childElementCount&&U(c.now,{keep:!1}))}function ht(t){let s=W.querySelector(".ce-stage"),d=W.querySelector("progress");t.event==="progress"&&s&&d&&(s.textContent=`${t.stage}${t.total>1?` ${t.done} of ${t.total}`:""}`,d.value=t.total?t.done/t.total:0),t.event==="slow"&&t.is?K.replaceChildren("The kernel has not answered yet: it is busy, or it was restarted. After a restart, run the cell again."):t.event==="slow"&&K.replaceChildren(),t.event==="code"&&Y.childElementCount&&te(),t.event==="failed"&&J({message:t.error,steps:t.steps})}k.addEventListener("focus",Se,{once:!0}),k.addEventListener("input",t=>{t.isComposing||Te()}),k.addEventListener("compositionend",()=>Te()),k.addEventListener("blur",()=>setTimeout(ae,150)),W.addEventListener("click",t=>{let s=t.target,d=s.closest("a.ce-place"),l=s.closest("button.ce-copy");if(l){let g=l.parentElement?.querySelector("pre")?.cloneNode(!0);for(let C of g?.querySelectorAll(".ce-n")??[])C.remove();y.copy(l.dataset.copy??g?.textContent??"")}if(!d)return;t.preventDefault();let E=/^(.*):(\d+)/s.exec(d.textContent??"");E&&U(`${d.getAttribute("title")?.match(/^(\S+):\d+/)?.[1]??E[1]}:${E[2]}`)}),W.addEventListener("keydown",t=>{if(t.isComposing)return;let s=t.target,d=[...j.querySelectorAll(".ce-hit-name")],l=d.indexOf(s),E=h.childElementCount,g=t.key==="ArrowDown"?1:t.key==="ArrowUp"?-1:0;if(t.altKey&&(t.key==="ArrowLeft"||t.key==="ArrowRight"))he(t.key==="ArrowLeft"?-1:1);else if(t.key==="Enter"&&s===k)G>=0?h.children[G].dispatchEvent(new MouseEvent("mousedown",{cancelable:!0})):P();else if(t.key==="Enter"&&s===b&&(t.ctrlKey||t.metaKey))P();else if(g&&s===k&&E)ct(g);else if(g&&(s===k||l>=0)){let C=l+g;(C<0?k:d[Math.min(C,d.length-1)])?.focus()}else if(t.key==="Escape")X.classList.contains("on")?y.hide():E?ae():N.contains(s)&&s!==W?c.at>0?he(-1):fe():s!==k?k.focus():(k.value="",P());else{!t.ctrlKey&&!t.metaKey&&t.stopPropagation();return}t.preventDefault(),t.stopPropagation()}),globalThis.addEventListener("keydown",t=>{let s=t.composedPath()[0];s instanceof Element&&W.contains(s)&&s.toggleAttribute("data-lm-suppress-shortcuts",!(t.ctrlKey||t.metaKey))},{capture:!0,signal:i});let ze=new ResizeObserver(([t])=>{W.classList.toggle("ce-narrow",t.contentRect.width<720),W.classList.toggle("ce-slim",t.contentRect.width<520),clearTimeout(w),w=setTimeout(()=>{V&&R.clientWidth&&Math.abs(y.graphWidth()-u)>30&&ee(V,!1)},300)});ze.observe(W),i?.addEventListener("abort",()=>{ze.disconnect();for(let t of[$,w,v])clearTimeout(t)}),e.on("change:place",()=>{let t=e.get("place");t&&t!==c.now&&t!==m&&!N.classList.contains("ce-old")&&U(t)}),e.on("change:question",()=>{let t=e.get("question");t!==(b.hidden?k.value.trim():b.value.trim())&&(De(t),P())}),e.on("change:options",()=>{e.get("options").view!==y.options.view&&(y.options={...e.get("options")},Q())});function De(t){t.includes(`
`)===b.hidden&&qe(),b.hidden?k.value=t:b.value=t}async function le(){q.replaceChildren();let t=await _(r("start",{},6e5),le);t&&(y.known=t,ut(),Q(),ie("hits"),e.get("title")||me(),k.value||!b.hidden?await P():(W.classList.add("ce-empty"),We()),e.get("place")&&U(e.get("place"),{keep:!c.all.length}))}De(e.get("question")??""),await le()}var Lt=0,it=()=>++Lt,Qt={render:Ct};export{Qt as default};
