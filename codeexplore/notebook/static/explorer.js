var ze=`/* Colours for the theme at hand: each is mixed with the colour that the host gives to text, so that it is dark on light
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
`;var De=`.ce-root {
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
`;function o(e,n={},...i){let r=document.createElement(e);for(let[c,a]of Object.entries(n))a==null||a===!1||(c.startsWith("on")?r.addEventListener(c.slice(2),a):c==="value"||c==="checked"?r[c]=a:r.setAttribute(c,a===!0?"":String(a)));return r.append(...i.filter(c=>c!=null&&c!==!1)),r}function F(e,n={},...i){let r=document.createElementNS("http://www.w3.org/2000/svg",e);for(let[c,a]of Object.entries(n))c.startsWith("on")?r.addEventListener(c.slice(2),a):a!==void 0&&r.setAttribute(c,String(a));return r.append(...i),r}var ht=new Set("A B BR BUTTON CAPTION CODE DETAILS DIV EM I IMG LI MARK OL P PRE SMALL SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL H3 H4".split(" ")),ft=/^(class|style|title|role|alt|colspan|scope|open|tabindex|aria-[a-z]+|data-copy)$/;function D(e){let n=document.createDocumentFragment(),i=(r,c)=>{for(let a of r.childNodes){if(a.nodeType===3&&c.appendChild(document.createTextNode(a.textContent??"")),!(a instanceof Element)||!ht.has(a.tagName))continue;let u=document.createElement(a.tagName);for(let{name:w,value:h}of a.attributes)ft.test(w)&&!/url\(/i.test(h)&&u.setAttribute(w,h);let x=a.getAttribute("src")??"";a.tagName==="IMG"&&x.startsWith("data:image/svg+xml")&&u.setAttribute("src",x),a.matches("a.ce-place")&&u.setAttribute("href","#"),i(a,u),c.appendChild(u)}};return i(new DOMParser().parseFromString(e,"text/html").body,n),n}var f=(e,n,i,r={})=>o("button",{type:"button",title:n,onclick:i,...r},e);function je(e){let n=o("textarea",{value:e});document.body.append(n),n.select(),document.execCommand("copy"),n.remove()}function Ie(e,n){let{options:i,known:r}=n;return r.lanes.map(([c,a],u)=>{let[,x,w,h,b]=e?.[u]??[c,!0,1,"",!1],$=i.lanes?i.lanes.includes(c):x,q=i.weights?.[c]??w,m=o("input",{type:"checkbox",role:"switch",checked:$,"aria-label":a,onchange:T=>{let O=n.options.lanes??(e??[]).filter(N=>N[1]).map(N=>N[0]);n.choose({lanes:T.target.checked?[...O,c]:O.filter(N=>N!==c)})}}),v=o("small",{},`\xD7${Number(q).toFixed(1)}`),M=o("input",{type:"range",min:0,max:3,step:.1,value:q,disabled:!$,"aria-label":`Weight of ${a}`,title:`How much it counts (${c})`,oninput:T=>{v.textContent=`\xD7${Number(T.target.value).toFixed(1)}`,n.choose({weights:{...n.options.weights,[c]:Number(T.target.value)}},120)}});return o("span",{class:`ce-lane ce-of-${c}`},o("label",{},m," ",a),M,v,o("small",{class:b?"ce-bad ce-health":"ce-health"},h))})}function Ke(e){let{options:n,known:i}=e,r=(w,h,b)=>o("label",{},w," ",o("input",{value:n[h]??"",...b,onchange:$=>e.choose({[h]:b.type==="number"?Number($.target.value)||null:$.target.value})})),c=(w,h,b)=>o("label",{},o("input",{type:"checkbox",checked:n[h]??b,onchange:$=>e.choose({[h]:$.target.checked})}),` ${w}`),a=(w,h,b)=>o("label",{},w," ",o("select",{onchange:$=>e.choose({[h]:$.target.value})},...b.map(([$,q])=>o("option",{value:q,selected:String(n[h]??"")===String(q)},$)))),u=["automatic",""],x=w=>w.map(h=>[h,h]);return o("div",{class:"ce-row ce-options"},a("Relation","relation",[u,...x(i.relations)]),a("Direction","direction",[u,["towards it","in"],["away from it","out"],["both","both"]]),a("Depth","depth",[u,...x([1,2,3,4,5,6,7,8,9,10])]),a("Fusion","fusion",[["rrf (usual)",""],...x(i.fusions.slice(1))]),r("rrf_k","rrf_k",{type:"number",min:1,max:1e3,placeholder:i.defaults.rrf_k}),r("Hits","top_k",{type:"number",min:1,max:200,placeholder:i.defaults.top_k}),r("File paths","paths",{placeholder:"src/**, *_api.py"}),a("Language","language",[["all",""],...i.languages]),c("one per file","one_per_file",!1),c("include tests","tests",!0),f("Reset to automatic","Undo your choices: the program chooses for each question again",()=>e.reset()))}var Fe={question:["Question","What is a word?"],reading:["Query plan","What is a query plan?"],lanes:["Lanes","What is a lane?"],fusion:["Fusion","What is fusion?"],signals:["Signals","What is a signal?"],ranking:["Ranking","What is the ranking?"]};function _e(e,n){return o("ol",{class:"ce-lab","aria-label":"Steps of the search"},...e.steps.map(([i,r,c],a)=>o("li",{class:"ce-step"},o("b",{},`${a+1} ${Fe[i][0]}`)," ",D(r),o("details",{open:n.folds.has(i)},o("summary",{onclick:()=>n.folds.has(i)?n.folds.delete(i):n.folds.add(i)},Fe[i][1]),D(c)))))}var de=class{constructor(n=[]){this.all=n,this.at=n.length-1}get now(){return this.all[this.at]??""}go(n){n!==this.now&&(this.all=[...this.all.slice(0,this.at+1),n].slice(-50),this.at=this.all.length-1)}step(n){let i=this.all[this.at+n];return i===void 0?"":(this.at+=n,i)}};function He(e){if(!e.startsWith("/")||e.length<2)return null;let n=/^\/(.+)\/(i?)$/.exec(e);return n?{pattern:n[1],regex:!0,ignore_case:n[2]==="i"}:{pattern:e.slice(1),regex:!1,ignore_case:!1}}function xe(e){return Object.fromEntries(Object.entries(e).filter(([,n])=>n!=null&&n!==""))}function be(e,n,i,r){let c=Math.min(4,Math.max(.2,e.k*n)),a=c/e.k;return{k:c,x:i-(i-e.x)*a,y:r-(r-e.y)*a}}function Ge(e,n){if(e===n)return`M${e.x+e.width/2} ${e.y-4}c26 -16 26 24 0 8`;if(Math.abs(e.x-n.x)<(e.width+n.width)/2){let u=Math.max(e.x+e.width/2,n.x+n.width/2)+18;return`M${e.x+e.width/2} ${e.y}C${u} ${e.y} ${u} ${n.y} ${n.x+n.width/2+5} ${n.y}`}let i=e.x<n.x?1:-1,r=e.x+i*e.width/2,c=n.x-i*(n.width/2+5),a=(r+c)/2;return`M${r} ${e.y}C${a} ${e.y} ${a} ${n.y} ${c} ${n.y}`}function Ue(e,n,i){let r=d=>i.walk({...e,...d}),c=o("div",{class:"ce-details"}),a=async d=>{for(let V of w.querySelectorAll(".ce-box"))V.classList.toggle("ce-chosen",V.getAttribute("data-id")===d);u.value=d,x.disabled=!1;let S=await i.tried(i.ask("details",{symbol:d}),()=>a(d));if(!S)return;let E=e.expanded??[],A=E.includes(d),B=()=>r({chosen:d,expanded:A?E.filter(V=>V!==d):[...E,d]});c.replaceChildren(D(S.html),f("Open source","Open its source in place",()=>i.open(d)),e.walk==="path"||d===e.symbol?"":f(A?`Remove its ${e.walk}`:`Add its ${e.walk}`,"Expand this box in place: one more step of the walk from here",B))},u=o("select",{size:Math.max(2,Math.min(8,n.list.length)),class:"ce-list","aria-label":"Symbols in the graph"},...n.list.map(([d,S,E,A])=>o("option",{value:d},`${S<0?"possible":S||"start"}  ${E}  ${A}`)));u.addEventListener("change",()=>a(u.value)),u.addEventListener("dblclick",()=>i.open(u.value));let x=f("Start here","Show the graph around the chosen symbol",()=>r({symbol:u.value,others:[],opened:[],expanded:[],walk:e.walk==="path"?"callers":e.walk,trail:[...e.trail??[],e.symbol]}));x.disabled=!0;let{svg:w,fit:h}=mt(n,d=>{d.members?r({opened:[...e.opened??[],d.id]}):a(d.id)},i),b=[...e.target?["path"]:[],...i.known.walks],$=(d,S)=>d.map(E=>o("option",{value:E,selected:E===S},E)),q=(d,S,E,A)=>o("label",{},d," ",o("select",{onchange:B=>A(B.target.value)},...$(S,E))),m=(d,S,E,A)=>o("label",{},d," ",o("input",{type:"number",value:S,...E,onchange:B=>A(Number(B.target.value))})),v=e.kinds??null,M=o("details",{class:"ce-more",open:i.moreGraph},o("summary",{onclick:()=>{i.moreGraph=!i.moreGraph}},"Graph options"),o("div",{class:"ce-row"},m("Minimum confidence",e.confidence??i.known.defaults.confidence,{min:0,max:1,step:.05},d=>r({confidence:d})),o("label",{},o("input",{type:"checkbox",checked:e.tests??!0,onchange:d=>r({tests:d.target.checked})})," include tests"),q("Group by",i.known.groupings,e.by??i.known.groupings[0],d=>r({by:d,opened:[]})),...i.known.edges.map(d=>o("label",{},o("input",{type:"checkbox","data-kind":d,checked:v?v.includes(d):!1,onchange:S=>{let E=[...v??[]].filter(A=>A!==d);r({kinds:S.target.checked?[...E,d]:E.length?E:null})}}),` ${d}`)))),T=o("input",{type:"search",placeholder:"Find in graph","aria-label":"Find in graph",oninput:d=>{let S=d.target.value.toLowerCase();for(let E of u.options)E.hidden=!!S&&!E.text.toLowerCase().includes(S);for(let E of w.querySelectorAll(".ce-box"))E.classList.toggle("ce-match",!!S&&(E.querySelector("title")?.textContent??"").toLowerCase().includes(S))},onkeydown:d=>{if(d.key!=="Enter")return;let S=[...u.options].filter(B=>!B.hidden),E=S.findIndex(B=>B.selected),A=S[(E+1)%S.length];A&&a(A.value)}}),O=o("div",{class:"ce-said"},D(n.said)),N=o("div",{class:"ce-picture",title:"Drag to move; Ctrl and the wheel zoom"},w);e.chosen&&a(e.chosen);let y=e.trail??[],K=o("div",{class:"ce-row"},f("\u2212","Zoom out",()=>h(.8),{"aria-label":"Zoom out"}),f("+","Zoom in",()=>h(1.25),{"aria-label":"Zoom in"}),f("Fit","Show all of it",()=>h(0)),e.opened?.length?f("Close groups","Show the groups of the first view again",()=>r({opened:[]})):null,n.list.length>12?T:null);return[o("div",{class:"ce-row"},q("Show",b,e.walk,d=>r({walk:d,kinds:null,opened:[],expanded:[]})),m("Steps",e.depth??1,{min:1,max:10,disabled:!i.known.deep.includes(e.walk)},d=>r({depth:Math.max(1,Math.min(10,d)),opened:[]})),y.length?f("Back to before","The start before",()=>r({symbol:y.at(-1),trail:y.slice(0,-1),opened:[],expanded:[]})):null,M),...e.walk==="path"?[K,N,O]:[O,K,N],o("div",{class:"ce-row ce-reached"},u,x),c]}function mt(e,n,i){let[r,c]=e.size,a=Math.max(i.graphWidth(),240),u=Math.min(780,Math.max(80,c+40)),x=`ce-arrow-${Math.random().toString(36).slice(2)}`,w=F("g"),h=F("svg",{class:"ce-svg",width:a,height:u,role:"group","aria-label":e.title});h.append(F("defs",{},F("marker",{id:x,viewBox:"0 0 6 6",refX:5,refY:3,markerWidth:7,markerHeight:7,orient:"auto"},F("path",{d:"M0 0L6 3L0 6z",class:"ce-head"}))),w);for(let[m,v,M,T,O]of e.links)w.append(F("path",{class:`ce-edge ce-${O} ce-kind-${M}`,d:Ge(e.boxes[m],e.boxes[v]),"marker-end":`url(#${x})`},F("title",{},T)));for(let m of e.boxes){let v=F("g",{class:`ce-box${m.start?" ce-start":""}${m.certain?"":" ce-unsure"}${m.test?" ce-test":""}`,tabindex:0,role:"button","data-id":m.id,transform:`translate(${m.x} ${m.y})`,"aria-label":m.title},F("title",{},m.title),F("rect",{x:-m.width/2,y:-12,width:m.width,height:24,rx:m.members?12:3}),F("text",{"text-anchor":"middle",y:4},m.label));v.addEventListener("click",()=>n(m)),v.addEventListener("dblclick",()=>m.members||i.open(m.id)),v.addEventListener("keydown",M=>{let T=M.key;T!=="Enter"&&T!==" "||(M.preventDefault(),M.stopPropagation(),T==="Enter"&&v.classList.contains("ce-chosen")&&!m.members?i.open(m.id):n(m))}),w.append(v)}let b={x:0,y:0,k:1},$=()=>w.setAttribute("transform",`translate(${b.x} ${b.y}) scale(${b.k})`),q=m=>{if(m)b=be(b,m,a/2,u/2);else{let v=Math.min(1,Math.max(.82,(a-16)/r)),M=e.boxes.some(T=>T.start&&T.x>0);b={k:v,x:r*v<=a?a/2:M?a-8-r*v/2:8+r*v/2,y:c*v>u?8+c*v/2:u/2}}$()};return q(0),h.addEventListener("wheel",m=>{if(!m.ctrlKey&&!m.metaKey)return;m.preventDefault();let v=h.getBoundingClientRect();b=be(b,m.deltaY<0?1.15:1/1.15,m.clientX-v.left,m.clientY-v.top),$()},{passive:!1}),h.addEventListener("pointerdown",m=>{if(m.target.closest(".ce-box"))return;let v={x:m.clientX-b.x,y:m.clientY-b.y};h.setPointerCapture(m.pointerId);let M=T=>{b={...b,x:T.clientX-v.x,y:T.clientY-v.y},$()};h.addEventListener("pointermove",M),h.addEventListener("pointerup",()=>h.removeEventListener("pointermove",M),{once:!0})}),{svg:h,fit:q}}function ve(e,n){return e.map(([i,r,c,a])=>{if(!r&&!c&&!a?.length)return i;if(!a?.length)return o(c?"mark":"span",{class:r||void 0},i);let u=o("a",{href:"#",class:`ce-link ${r??""}`,"data-id":a[0],"data-ids":a.length>1?a.join(`
`):void 0},c?o("mark",{},i):i);u.addEventListener("click",x=>{x.preventDefault(),x.altKey?n.walk({symbol:a[0],others:a.slice(1),walk:"callers"}):a.length>1?gt(u,a,n):n.open(a[0])}),u.addEventListener("mouseenter",()=>Ve(u,a[0],n)),u.addEventListener("focus",()=>Ve(u,a[0],n));for(let x of["mouseleave","blur"])u.addEventListener(x,()=>{n.peek.contains(document.activeElement)||n.hide()});return u})}async function gt(e,n,i){let r=await Promise.all(n.slice(0,12).map(c=>i.ask("peek",{symbol:c}).catch(()=>null)));i.showPeek(e,o("div",{},o("b",{},"This name may mean:"),...r.filter(Boolean).map(c=>f(`${c.name}  ${c.place}`,"Open its definition",()=>i.open(c.target),{class:"ce-row-button"})))),i.peek.querySelector("button")?.focus()}async function Ve(e,n,i){if(await new Promise(c=>setTimeout(c,150)),!e.matches(":hover, :focus"))return;let r=await i.ask("peek",{symbol:n}).catch(()=>null);!r||!e.isConnected||!e.matches(":hover, :focus")||i.showPeek(e,o("div",{},o("code",{},r.signature||r.name),o("div",{},r.doc),o("small",{},[r.counts,r.place,"Alt+click: callers"].filter(Boolean).join(" \xB7 "))))}function Ye(e,n){let i=String(e.lines.at(-1)?.[0]??1).length,r=e.lines.map(([h,b])=>o("div",{class:h===e.at?"ce-line ce-at":"ce-line"},o("span",{class:"ce-no",style:`width:${i+1}ch`},String(h)),o("span",{class:"ce-text"},...ve(b,n)))),c=(h,b)=>h?[f(b,"The source is shown in parts",()=>n.open(e.row.target,{first:h,keep:!1}))]:[],a=f("Copy","Copy this code",()=>n.copy(e.lines.map(([,h])=>h.map(b=>b[0]).join("")).join(`
`))),u=e.crumbs.flatMap(([h,b]=["",""],$)=>[$?" \u203A ":"",f(b,h,()=>n.open(h),{class:"ce-crumb-button"})]),x=e.edit.href?o("a",{class:"ce-edit",title:"Open the file in the editor",...e.edit},e.row.place):o("span",{class:"ce-edit"},e.row.place),w=e.row.kind==="text"?[]:[f("Callers","Draw what calls it (Alt+click a name)",()=>n.walk({symbol:e.row.target,walk:"callers"}))];return[o("div",{class:"ce-bar"},f("\u2190","Back (Alt+Left)",()=>n.step(-1),{class:"ce-back","aria-label":"Back"}),f("\u2192","Forward (Alt+Right)",()=>n.step(1),{"aria-label":"Forward"}),o("nav",{class:"ce-crumb","aria-label":"Where this source is"},...u),x,...w,a,f("\xD7","Close the source (Escape)",()=>n.close(),{"aria-label":"Close the source"})),e.note&&o("p",{class:"ce-dim"},e.note),...c(e.before,"Lines before"),o("pre",{class:"ce-source codeexplore",tabindex:0,role:"region","aria-label":`Source of ${e.row.name}`},...r),...c(e.after,`Lines after, of ${e.of}`)].filter(Boolean)}var xt=["bm25","embedding","graph"],bt=e=>xt.find(n=>e===n||e.endsWith(`-${n}`))??"signal";function Xe(e,n){let i=f("","Open its source",()=>n.open(e.target),{class:"ce-hit-name","data-target":e.target}),r=Math.max(e.name.lastIndexOf("."),e.name.lastIndexOf(":"))+1;i.append(o("small",{},e.name.slice(0,r)),o("b",{},e.name.slice(r)));let c=(e.bars??[]).map(([x,w])=>o("i",{class:`ce-share ce-of-${bt(x)}`,style:`width:${(w*100).toFixed(1)}%`,title:x})),a=o("div",{class:"ce-reason"}),u=e.bars&&f("why","Show how the score adds up",async()=>{let x=u.getAttribute("aria-expanded")==="true";if(u.setAttribute("aria-expanded",String(!x)),n.whys[x?"delete":"add"](e.target),x)return a.replaceChildren();let w=await n.tried(n.ask("why",{rank:e.rank}));w&&a.replaceChildren(o("code",{class:"ce-sum"},w.sum),D(w.html))},{class:"ce-why","aria-expanded":"false","aria-label":`Why hit ${e.rank}`});return u&&(n.options.explain||n.whys.has(e.target))&&u.click(),o("li",{class:"ce-hit"},o("div",{class:"ce-hit-head"},o("span",{class:"ce-rank"},`${e.rank}`),o("div",{},i," ",o("small",{},`${e.kind} ${e.place}`)," ",e.role&&o("em",{},e.role))),e.signature&&o("code",{class:"ce-signature"},e.signature),e.doc&&o("div",{class:"ce-doc"},e.doc),...(e.lines??[]).map(([x,w])=>o("code",{class:"ce-signature"},`${x}  `,...ve(w,n))),o("div",{class:"ce-hit-why"},e.bars&&o("span",{class:"ce-bars","aria-hidden":"true"},...c),o("small",{class:"ce-sentence"},e.why),u||null),a)}function Ze(e,n){let i=e.verdict&&o("p",{class:`ce-verdict ce-${e.verdict.kind}`},o("b",{},{found:"found",none:"none",possible:"may be",unknown:"unknown"}[e.verdict.kind]??"")," ",e.verdict.text);return[e.words&&o("p",{class:e.confidence==="none"?"ce-verdict ce-none":"ce-verdict"},e.words),i,...(e.notices??[]).map(r=>o("p",{class:"ce-dim"},r)),e.steps?.length?o("div",{class:"ce-row"},...e.steps.map(r=>n.stepButton(r))):null].filter(Boolean)}var we=class extends Error{constructor(n){super(n.error),this.steps=n.steps??[]}};function Qe(e,n,i=()=>{}){let r=new Map,c=Math.random().toString(36).slice(2),a=0,u=!1,x=(h,b)=>{if(h?.event)return i(h);let $=r.get(h?.id);$&&(r.delete(h.id),u&&i({event:"slow",is:u=!1}),h.ok?$.ok({...h,buffers:b}):$.no(new we(h)))};e.on("msg:custom",x),n?.addEventListener("abort",()=>e.off("msg:custom",x));let w=6e4;return(h,b={},$=w)=>new Promise((q,m)=>{let v=`${c}-${++a}`;r.set(v,{ok:q,no:m});try{e.send({id:v,kind:h,args:b})}catch{return r.delete(v),m(new Error("The kernel was restarted or has ended. Run the cell again."))}$===w&&h!=="fresh"&&setTimeout(()=>r.has(v)&&i({event:"slow",is:u=!0}),4e3),setTimeout(()=>r.delete(v)&&m(new Error("No answer yet: the kernel is busy or gone.")),$)})}async function Je(e){let n="buffer"in e?new Uint8Array(e.buffer,e.byteOffset,e.byteLength):e,i=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(i).text()}function et(e,n,i=10){let r=n.toLowerCase().replace(/\s+/g,"");if(!r)return[];let c=[];for(let a=0;a<e.length;a++){let u=e[a],x=vt(u,r);x>0&&c.push([x-a/e.length-u.low.length/1e3,u])}return c.sort((a,u)=>u[0]-a[0]).slice(0,i).map(a=>a[1])}function vt(e,n){if(e.name===n)return 1e3;if(e.name.startsWith(n))return 800;if(e.name.includes(n))return 600;if(e.low.includes(n))return 400;let i=-1,r=0;for(let c of n){let a=e.low.indexOf(c,i+1);if(a<0)return 0;i>=0&&(r+=a-i-1),i=a}return Math.max(1,200-r)}var tt=e=>e.split(`
`).filter(Boolean).map(n=>{let[i,r,c]=n.split("	"),a=i.toLowerCase();return{fqn:i,low:a,name:a.slice(Math.max(a.lastIndexOf("."),a.lastIndexOf(":"))+1),kind:r,id:c}});function ot(e){let n=/[\w.:$]+$/.exec(e);return n?[e.slice(0,n.index),n[0]]:[e,""]}async function wt({model:e,el:n,signal:i}){let r=Qe(e,i,dt),c=new de([...e.get("history")??[]]),a=0,u=0,x=0,w=0,h=0,b=0,$=0,q=2e3,m="",v=[],M=null,T=[],O=null,N=null,y=o("input",{type:"text",class:"ce-ask-input",role:"combobox","aria-label":"Question or name","aria-expanded":"false","aria-autocomplete":"list","aria-controls":`ce-names-${nt()}`,autocomplete:"off",spellcheck:"false",placeholder:"a name, \u201Cwhat calls \u2026?\u201D, a description, or /text"}),K=o("ul",{class:"ce-names",role:"listbox",id:y.getAttribute("aria-controls"),"aria-label":"Names"}),d=o("textarea",{rows:8,"aria-label":"Bug report",placeholder:"an issue, an error message or a stack trace",hidden:!0}),S=o("span",{class:"ce-title"}),E=o("div",{class:"ce-status",role:"status","aria-live":"polite"}),A=o("div",{class:"ce-alert"}),B=o("div",{class:"ce-stale"}),V=o("div",{class:"ce-row ce-lanes"}),pe=o("div"),Y=o("div",{class:"ce-code-box"}),se=o("div"),Q=o("div",{class:"ce-view"}),oe=o("div",{class:"ce-compare"}),H=o("div",{class:"ce-found"}),j=o("ol",{class:"ce-rows","aria-label":"Hits"}),ue=o("div",{class:"ce-side"}),R=o("div",{class:"ce-open"}),z=o("div",{class:"ce-graph"}),X=o("div",{class:"ce-peek",role:"tooltip"}),ye={lab:f("Lab","Every step of the search with its numbers and controls",()=>ct(e.get("options").view==="lab"?"ask":"lab"),{"aria-pressed":"false"})},ke=o("div",{class:"ce-tabs",role:"group","aria-label":"Show"},f("Hits","Show the hits",()=>ae("hits")),f("Source and graph","Show the source and the graph",()=>ae("side"))),Ce=o("span",{class:"ce-row ce-heading-buttons"}),W=o("div",{class:"ce-root"},o("style",{},ze,De),o("div",{class:"ce-row ce-heading"},S,Ce),se,o("div",{class:"ce-ask"},y,f("Ask","Ask this question (Enter)",()=>P()),f("Paste a report","Open a larger box for text of several lines, such as a stack trace",()=>Oe(),{class:"ce-paste","aria-pressed":"false"}),K),d,V,pe,Y,Q,o("div",{class:"ce-state"},E,A,B),ke,o("div",{class:"ce-body"},o("div",{class:"ce-hits"},oe,H,j),ue),X);ue.append(R,z),n.append(W);let k={ask:r,peek:X,known:null,options:{...e.get("options")},folds:new Set,whys:new Set,moreGraph:!1,open:U,step:he,close:fe,walk:ee,choose:st,tried:_,stepButton:Le,showPeek:rt,hide:()=>X.classList.remove("on"),copy:t=>{je(t),I("Copied.")},graphWidth:()=>(z.clientWidth||ue.clientWidth||W.clientWidth)-4,reset:()=>{let{view:t,explain:s}=k.options;k.options=xe({view:t,explain:s}),ne({options:k.options}),P(),Z()}};function I(t="",s=!1){E.textContent=t,E.classList.toggle("ce-busy",s)}function J(t,...s){I();for(let p of[H,j,R,z])p.classList.remove("ce-old");A.replaceChildren(o("div",{role:"alert",class:"ce-bad"},o("span",{},`\u26A0 ${t.message??t}`),...(t.steps??[]).map(Le),...s.filter(Boolean),!e.get("title")&&f("Open\u2026","Open a repository",me),/kernel/.test(t.message)&&f("Try again","Ask once more",()=>le())))}async function _(t,s){try{return await t}catch(p){return J(p,s&&!p.steps?.length?f("Try again","Try once more",s):null),null}}function Le(t){let s={ask:()=>{y.value=t.argument||y.value,P()},grep:()=>{y.value=`/${t.argument}`,P()},source:()=>U(t.argument),refresh:()=>ge()};return s[t.kind]?f(t.label,"The next step",()=>{A.replaceChildren(),s[t.kind]()},{class:"ce-next"}):f(`Copy: ${t.label}`,"Copy this call, to run it in a cell",()=>k.copy(t.label.split(" ")[0]),{class:"ce-next"})}function ne(t){for(let[s,p]of Object.entries(t))e.set(s,p);try{e.save_changes()}catch{}}function ce(t,...s){let p=C=>`${C.getAttribute("aria-label")??C.closest("label")?.firstChild?.textContent??C.textContent}`,l=t.contains(We())?We():null,L=l&&p(l);if(t.replaceChildren(...s),!l)return;let g=[...t.querySelectorAll("button, input, select, summary, [tabindex]")];(g.find(C=>p(C)===L&&!C.disabled)??g.find(C=>!C.disabled))?.focus()}function rt(t,s){X.replaceChildren(s);let p=t.getBoundingClientRect(),l=W.getBoundingClientRect();Object.assign(X.style,{left:`${Math.max(0,Math.min(p.left-l.left,l.width-320))}px`,top:`${p.bottom-l.top+2}px`}),X.classList.add("on")}async function $e(){M??=r("names").then(async t=>{v=tt(await Je(t.buffers[0]))}).catch(()=>{M=null}),await M}let G=-1;async function Ee(){let t=y.value;if(v.length||await $e(),t!==y.value)return;let[s,p]=t.startsWith("/")?["",""]:ot(t),l=p.length>1||!s&&p?et(v,p,10):[],L=T.filter(g=>g!==t&&g.toLowerCase().includes(t.toLowerCase())).slice(0,3);G=-1,K.replaceChildren(...l.map(g=>Se(()=>s.trim()?Te(s+g.fqn):(re(),U(g.id)),g.fqn,g.kind)),...(t?L:[]).map(g=>Se(()=>{Te(g),P()},g,"asked before"))),Ae(K.childElementCount>0)}function Se(t,s,p){return o("li",{role:"option",id:`ce-name-${nt()}`,"aria-selected":"false",onmousedown:l=>{l.preventDefault(),t()},onclick:()=>{}},o("span",{},s),o("small",{},p))}function Te(t){y.value=t,re(),y.focus()}function re(){G=-1,K.replaceChildren(),Ae(!1)}function Ae(t){y.setAttribute("aria-expanded",String(t)),y.removeAttribute("aria-activedescendant")}function at(t){let s=[...K.children];G=Math.max(-1,Math.min(s.length-1,G+t)),s.forEach((p,l)=>p.setAttribute("aria-selected",String(l===G))),G>=0?y.setAttribute("aria-activedescendant",s[G].id):y.removeAttribute("aria-activedescendant")}async function P(){let t=++a,s=d.hidden?y.value.trim():d.value.trim();if(clearTimeout(b),re(),A.replaceChildren(),B.replaceChildren(),ne({question:s}),!s)return O=null,W.classList.add("ce-empty"),j.replaceChildren(),oe.replaceChildren(),z.replaceChildren(),I(),Me();W.classList.remove("ce-empty"),I("Searching \u2026",!0);for(let l of[H,j,z])l.classList.add("ce-old");let p=He(s);try{let l=await(p?r("grep",p):r("search",{question:s,options:k.options}));if(t!==a)return;d.hidden&&!T.includes(s)&&T.unshift(s),O={...l,grep:!!p},I(`${l.said} in ${l.took} ms`),H.replaceChildren(...Ze(l,k),...l.reading?[o("div",{class:"ce-reading"},D(l.reading))]:[]),j.replaceChildren(...l.rows.map(L=>Xe(L,k))),Y.childElementCount&&te(),!l.rows.length&&!l.verdict&&j.append(o("li",{},p?"No file contains it.":"No hits."));for(let L of[H,j])L.classList.remove("ce-old");it(l),Z(),p||!l.start?(z.replaceChildren(),z.classList.remove("ce-old")):ee({symbol:l.start,walk:l.walk,depth:l.depth,target:l.target}),Pe(2e3)}catch(l){if(t!==a)return;O=null;for(let g of[H,j,z])g.replaceChildren();Z();let L=()=>{y.value=`/${p?.pattern}`,P()};J(l,p?.regex&&f("Search for the text as it is","Without a regular expression",L),Object.keys(k.options).some(g=>g!=="view"&&g!=="explain")&&f("Reset to automatic","Undo your choices and ask again",()=>k.reset()))}}function it(t){if(!t.choices?.length)return;let s=t.choices.map(l=>l[0]),p=l=>ee({symbol:l[0],others:l.slice(1),walk:t.walk,depth:t.depth});H.append(o("div",{class:"ce-row ce-choices"},"The name may mean:",...t.choices.slice(0,8).map(([l,L,g])=>f(`${L} (${g})`,"Show its graph",()=>p([l]))),f(`All ${s.length}`,"Show the graph around all of them",()=>p(s))))}function st(t,s=0){k.options=xe({...k.options,...t}),ne({options:k.options}),clearTimeout(b),(y.value.trim()||d.value.trim())&&(b=setTimeout(P,s))}function Me(){H.replaceChildren(o("p",{},e.get("title")?"Type a name or a question, or start with one of these:":"Open a repository to ask about it."),o("div",{class:"ce-row ce-starters"},...k.known.starters.map(t=>f(t,"Ask this question",()=>{y.value=t,P()}))),D(k.known.summary)),H.classList.remove("ce-old")}async function U(t,{keep:s=!0,first:p=0}={}){let l=++u;k.hide(),A.replaceChildren(),R.classList.add("ce-old");let L=await _(r("source",{target:t,first:p}),()=>U(t,{keep:s,first:p}));if(!L||l!==u)return R.classList.remove("ce-old");s&&c.go(t),ne({history:c.all}),m=L.row.target,R.classList.remove("ce-old"),R.replaceChildren(...Ye(L,k)),ae("side");for(let ie of j.querySelectorAll(".ce-hit-name"))ie.closest("li")?.classList.toggle("ce-current",ie.dataset.target===t);let g=R.querySelector(".ce-at"),C=R.querySelector(".ce-source");g&&g.offsetTop>C.clientHeight&&(C.scrollTop=g.offsetTop-40),p||C.focus({preventScroll:!0}),Y.childElementCount&&te(),L.row.kind!=="text"&&L.row.kind!=="module"&&ee({symbol:L.row.target,walk:O?.walk&&O.walk!=="path"?O.walk:"callers"},!1)}function he(t){let s=c.step(t);s?U(s,{keep:!1}):t<0&&fe()}function fe(){R.replaceChildren(),ae("hits"),(j.querySelector(".ce-current .ce-hit-name")??j.querySelector(".ce-hit-name")??y).focus()}function ae(t){W.classList.toggle("ce-show-side",t==="side"),[...ke.children].forEach((s,p)=>s.setAttribute("aria-pressed",String(t==="side"==(p===1))))}async function ee(t,s=!0){let p=++x;z.classList.add("ce-old");let{trail:l,chosen:L,...g}=t;h=k.graphWidth(),N=t;try{let C=await r("graph",{...g,width:h});if(p!==x)return;ce(z,...Ue(t,C,k)),Y.childElementCount&&te()}catch(C){if(p!==x)return;z.replaceChildren(),N=null,s&&J(C,f("Try again","Draw it once more",()=>ee(t)))}z.classList.remove("ce-old")}function Oe(){d.hidden=!d.hidden,y.disabled=!d.hidden,W.querySelector(".ce-paste")?.setAttribute("aria-pressed",String(!d.hidden)),d.hidden?y.focus():d.focus()}function ct(t){k.options={...k.options,view:t},ne({options:k.options}),Z()}async function Z(){let t=k.options.view==="lab";ye.lab.setAttribute("aria-pressed",String(t)),W.classList.toggle("ce-in-lab",t);let s=["lanes","weights","relation","direction","depth"].some(C=>k.options[C]);if(ce(V,...Ie(O?.health??null,k),...s&&!t?[f("Reset to automatic","Undo your choices",()=>k.reset())]:[]),!t){pe.replaceChildren(),oe.replaceChildren();return}if(ce(pe,Ke(k)),!O||O.grep)return oe.replaceChildren();let p=await _(r("lab"),Z);if(!p)return;let l=o("div"),L=k.comparing??"",g=async C=>{if(k.comparing=C,!C)return l.replaceChildren();let ie=await _(r("compare",{other:C}),()=>g(C));ie&&l.replaceChildren(D(ie.html))};ce(oe,_e(p,k),o("div",{class:"ce-row"},o("label",{},"Compare with ",o("select",{onchange:C=>g(C.target.value)},o("option",{value:""},"nothing"),...k.known.others.map(C=>o("option",{value:C,selected:C===L},C)))),f("Keep to compare","Compare later answers with this one",async()=>{await _(r("keep"))&&I("Kept: choose \u201Cthe answer you kept\u201D.")})),l),L&&g(L)}let We=()=>W.getRootNode().activeElement??null;async function te(){let t=await _(r("code"),te);t&&Y.replaceChildren(o("pre",{tabindex:0,role:"region","aria-label":"Python code"},t.code),f("Copy","Copy this code into a cell",()=>k.copy(t.code)))}function qe(t,s){t.childElementCount?t.replaceChildren():s()}function me(){let t=o("input",{type:"text",class:"ce-where",placeholder:"a folder, an installed package, or a git URL","aria-label":"Repository"}),s=o("progress",{max:1,value:0,"aria-label":"Progress"}),p=o("small",{class:"ce-stage"}),l=f("Cancel","Stop loading; the open repository stays open",()=>r("cancel"),{disabled:!0}),L=async()=>{A.replaceChildren(),l.disabled=!1,p.textContent="starting";try{await r("open",{where:t.value},36e5),se.replaceChildren(),v=[],M=null,c.all=[],c.at=-1,R.replaceChildren(),await le()}catch(g){l.disabled=!0,p.textContent="",/cancelled/.test(g.message)?I(g.message):J(g)}};t.addEventListener("keydown",g=>{g.key==="Enter"&&(g.stopPropagation(),L())}),se.replaceChildren(o("div",{class:"ce-row ce-load"},t,f("Load","Load this repository",L),l,s,p)),t.focus()}function lt(){let{known:t}=k;S.replaceChildren("Explore ",o("b",{},e.get("title")||"nothing"),o("small",{},t.size?` \xB7 ${t.size}`:" \xB7 no repository is open")),Ce.replaceChildren(ye.lab,f("Open\u2026","Open another repository",()=>qe(se,me)),...t.views.map(s=>f(s.title,s.tip,()=>Be(s.key))),f("Python code","Show Python code that computes this view again",()=>qe(Y,te)),f("Pin","Save this answer under the explorer, as part of the notebook",async()=>{let s=await _(r("pin"));if(s){for(let p=0;p<40&&!document.getElementsByClassName(s.place).length;p++)await new Promise(l=>setTimeout(l,100));document.getElementsByClassName(s.place).length?I("Pinned below."):J({message:"This page was loaded after the cell ran, so it can't show the pin. Run the cell again, then pin."})}}))}async function Be(t){if(Q.dataset.key===t)return Q.dataset.key="",Q.replaceChildren();I("Working \u2026",!0);let s=await _(r("view",{key:t},6e5),()=>Be(t));I(),s&&(Q.dataset.key=s.html?t:"",Q.replaceChildren(D(s.html)))}function Pe(t){clearTimeout($),q=t,$=setTimeout(async()=>{if(!O||O.grep)return;let s=performance.now(),p=a,l=await r("fresh").catch(()=>null);if(!(!l||p!==a)){if(l.again)return P();B.replaceChildren(...l.text?[o("span",{},l.text),l.step?f(l.step,"Load the changed files and ask again",()=>ge()):""]:[]),Pe(/graph is ready/.test(l.text)?500:Math.min(Math.max(2*q,20*(performance.now()-s)),3e4))}},t)}async function ge(){I("Loading the changed files \u2026",!0),await _(r("refresh",{},36e5),ge)&&(v=[],M=null,await P(),c.now&&R.childElementCount&&U(c.now,{keep:!1}))}function dt(t){let s=W.querySelector(".ce-stage"),p=W.querySelector("progress");t.event==="progress"&&s&&p&&(s.textContent=`${t.stage}${t.total>1?` ${t.done} of ${t.total}`:""}`,p.value=t.total?t.done/t.total:0),t.event==="slow"&&t.is?B.replaceChildren("The kernel has not answered yet: it is busy, or it was restarted. After a restart, run the cell again."):t.event==="slow"&&B.replaceChildren(),t.event==="code"&&Y.childElementCount&&te(),t.event==="failed"&&J({message:t.error,steps:t.steps})}y.addEventListener("focus",$e,{once:!0}),y.addEventListener("input",t=>{t.isComposing||Ee()}),y.addEventListener("compositionend",()=>Ee()),y.addEventListener("blur",()=>setTimeout(re,150)),W.addEventListener("click",t=>{let s=t.target,p=s.closest("a.ce-place"),l=s.closest("button.ce-copy");if(l){let g=l.parentElement?.querySelector("pre")?.cloneNode(!0);for(let C of g?.querySelectorAll(".ce-n")??[])C.remove();k.copy(l.dataset.copy??g?.textContent??"")}if(!p)return;t.preventDefault();let L=/^(.*):(\d+)/s.exec(p.textContent??"");L&&U(`${p.getAttribute("title")?.match(/^(\S+):\d+/)?.[1]??L[1]}:${L[2]}`)}),W.addEventListener("keydown",t=>{if(t.isComposing)return;let s=t.target,p=[...j.querySelectorAll(".ce-hit-name")],l=p.indexOf(s),L=K.childElementCount,g=t.key==="ArrowDown"?1:t.key==="ArrowUp"?-1:0;if(t.altKey&&(t.key==="ArrowLeft"||t.key==="ArrowRight"))he(t.key==="ArrowLeft"?-1:1);else if(t.key==="Enter"&&s===y)G>=0?K.children[G].dispatchEvent(new MouseEvent("mousedown",{cancelable:!0})):P();else if(t.key==="Enter"&&s===d&&(t.ctrlKey||t.metaKey))P();else if(g&&s===y&&L)at(g);else if(g&&(s===y||l>=0)){let C=l+g;(C<0?y:p[Math.min(C,p.length-1)])?.focus()}else if(t.key==="Escape")X.classList.contains("on")?k.hide():L?re():R.contains(s)&&s!==W?c.at>0?he(-1):fe():s!==y?y.focus():(y.value="",P());else{!t.ctrlKey&&!t.metaKey&&t.stopPropagation();return}t.preventDefault(),t.stopPropagation()}),globalThis.addEventListener("keydown",t=>{let s=t.composedPath()[0];s instanceof Element&&W.contains(s)&&s.toggleAttribute("data-lm-suppress-shortcuts",!(t.ctrlKey||t.metaKey))},{capture:!0,signal:i});let Ne=new ResizeObserver(([t])=>{W.classList.toggle("ce-narrow",t.contentRect.width<720),W.classList.toggle("ce-slim",t.contentRect.width<520),clearTimeout(w),w=setTimeout(()=>{N&&z.clientWidth&&Math.abs(k.graphWidth()-h)>30&&ee(N,!1)},300)});Ne.observe(W),i?.addEventListener("abort",()=>{Ne.disconnect();for(let t of[$,w,b])clearTimeout(t)}),e.on("change:place",()=>{let t=e.get("place");t&&t!==c.now&&t!==m&&!R.classList.contains("ce-old")&&U(t)}),e.on("change:question",()=>{let t=e.get("question");t!==(d.hidden?y.value.trim():d.value.trim())&&(Re(t),P())}),e.on("change:options",()=>{e.get("options").view!==k.options.view&&(k.options={...e.get("options")},Z())});function Re(t){t.includes(`
`)===d.hidden&&Oe(),d.hidden?y.value=t:d.value=t}async function le(){A.replaceChildren();let t=await _(r("start",{},6e5),le);t&&(k.known=t,lt(),Z(),ae("hits"),e.get("title")||me(),y.value||!d.hidden?await P():(W.classList.add("ce-empty"),Me()),e.get("place")&&U(e.get("place"),{keep:!c.all.length}))}Re(e.get("question")??""),await le()}var yt=0,nt=()=>++yt,Vt={render:wt};export{Vt as default};
