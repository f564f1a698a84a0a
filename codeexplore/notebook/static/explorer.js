var Ke=`/* Colours for the theme at hand: each is mixed with the colour that the host gives to text, so that it is dark on light
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
`;var _e=`.ce-root {
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
  overflow-wrap: anywhere;
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
}
.ce-lane::before {
  content: "";
  width: 10px;
  height: 10px;
  background: var(--fill, var(--of));
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
  background: var(--fill, var(--of));
  height: 6px;
}
.ce-sentence {
  flex: 1;
}
.ce-root button.ce-why {
  padding: 0 6px;
  font-size: 12px;
}
.ce-moved {
  border: 1px solid var(--line);
  border-radius: 4px;
  padding: 0 4px;
  white-space: nowrap;
}
.ce-changes button {
  font-size: 12px;
  padding: 0 6px;
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
.ce-new rect {
  stroke: var(--graph);
  stroke-width: 2.5;
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
.ce-root .ce-starters button,
.ce-root .ce-next {
  white-space: normal;
  overflow-wrap: anywhere;
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
  .ce-share,
  .ce-lane::before {
    forced-color-adjust: none;
    border: 1px solid CanvasText;
  }
  .ce-bars,
  .ce-share {
    height: 9px; /* patterns tell the lanes apart */
  }
  .ce-of-embedding {
    --fill: repeating-linear-gradient(45deg, CanvasText 0 2px, Canvas 2px 5px);
  }
  .ce-of-graph {
    --fill: repeating-linear-gradient(90deg, CanvasText 0 1px, Canvas 1px 4px);
  }
  .ce-of-signal {
    --fill: Canvas;
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
`;function o(e,n={},...r){let i=document.createElement(e);for(let[s,a]of Object.entries(n))a==null||a===!1||(s.startsWith("on")?i.addEventListener(s.slice(2),a):s==="value"||s==="checked"?i[s]=a:i.setAttribute(s,a===!0?"":String(a)));return i.append(...r.filter(s=>s!=null&&s!==!1)),i}function _(e,n={},...r){let i=document.createElementNS("http://www.w3.org/2000/svg",e);for(let[s,a]of Object.entries(n))s.startsWith("on")?i.addEventListener(s.slice(2),a):a!==void 0&&i.setAttribute(s,String(a));return i.append(...r),i}var Ct=new Set("A B BR BUTTON CAPTION CODE DETAILS DIV EM I IMG LI MARK OL P PRE SMALL SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL H3 H4".split(" ")),$t=/^(class|style|title|role|alt|colspan|scope|open|tabindex|aria-[a-z]+|data-copy)$/;function K(e){let n=document.createDocumentFragment(),r=(i,s)=>{for(let a of i.childNodes){if(a.nodeType===3&&s.appendChild(document.createTextNode(a.textContent??"")),!(a instanceof Element)||!Ct.has(a.tagName))continue;let p=document.createElement(a.tagName);for(let{name:y,value:h}of a.attributes)$t.test(y)&&!/url\(/i.test(h)&&p.setAttribute(y,h);let x=a.getAttribute("src")??"";a.tagName==="IMG"&&x.startsWith("data:image/svg+xml")&&p.setAttribute("src",x),a.matches("a.ce-place")&&p.setAttribute("href","#"),r(a,p),s.appendChild(p)}};return r(new DOMParser().parseFromString(e,"text/html").body,n),n}var f=(e,n,r,i={})=>o("button",{type:"button",title:n,onclick:r,...i},e);function Ge(e){let n=document.activeElement,r=o("textarea",{value:e});document.body.append(r),r.select();let i=document.execCommand("copy");return r.remove(),n?.focus({preventScroll:!0}),i}function Ve(e,n,r){let{options:i,known:s}=n;return s.lanes.map(([a,p],x)=>{let[,y,h,w,k]=e?.[x]??[a,!0,1,"",!1],E=i.lanes?i.lanes.includes(a):y,q=i.weights?.[a]??h,O=o("input",{type:"checkbox",role:"switch",checked:E,disabled:r,"aria-label":p,onchange:T=>{let $=n.options.lanes??(e??[]).filter(M=>M[1]).map(M=>M[0]);n.choose({lanes:T.target.checked?[...$,a]:$.filter(M=>M!==a)})}}),P=o("small",{},`\xD7${Number(q).toFixed(1)}`),g=o("input",{type:"range",min:0,max:3,step:.1,value:q,disabled:!E||r,"aria-label":`Weight of ${p}`,title:"How much it counts",oninput:T=>{P.textContent=`\xD7${Number(T.target.value).toFixed(1)}`,n.choose({weights:{...n.options.weights,[a]:Number(T.target.value)}},120)}});return o("span",{class:`ce-lane ce-of-${a}`},o("label",{},O," ",p," ",o("small",{},`(${a})`)),g,P,o("small",{class:k?"ce-bad ce-health":"ce-health"},w))})}function Ye(e){let{options:n,known:r}=e,i=(y,h,w)=>o("label",{},y," ",o("input",{value:n[h]??"",...w,onchange:k=>e.choose({[h]:w.type==="number"?Number(k.target.value)||null:k.target.value})})),s=(y,h,w)=>o("label",{},o("input",{type:"checkbox",checked:n[h]??w,onchange:k=>e.choose({[h]:k.target.checked})}),` ${y}`),a=(y,h,w)=>o("label",{},y," ",o("select",{onchange:k=>e.choose({[h]:k.target.value})},...w.map(([k,E])=>o("option",{value:E,selected:String(n[h]??"")===String(E)},k)))),p=["automatic",""],x=y=>y.map(h=>[h,h]);return o("div",{class:"ce-row ce-options"},a("Relation","relation",[p,...x(r.relations)]),a("Direction","direction",[p,["towards it","in"],["away from it","out"],["both","both"]]),a("Depth","depth",[p,...x([1,2,3,4,5,6,7,8,9,10])]),a("Fusion","fusion",[["rrf (usual)",""],...x(r.fusions.slice(1))]),i("rrf_k","rrf_k",{type:"number",min:1,max:1e3,placeholder:r.defaults.rrf_k}),i("Hits","top_k",{type:"number",min:1,max:200,placeholder:r.defaults.top_k}),i("File paths","paths",{placeholder:"src/**, *_api.py"}),a("Language","language",[["all",""],...r.languages]),s("one per file","one_per_file",!1),s("include tests","tests",!0),f("Reset to automatic","Undo your choices: the program chooses for each question again",()=>e.reset()))}var Ue={question:["Question","What is a word?"],reading:["Query plan","What is a query plan?"],lanes:["Lanes","What is a lane?"],fusion:["Fusion","What is fusion?"],signals:["Signals","What is a signal?"],ranking:["Ranking","What is the ranking?"]};function Xe(e,n){return o("ol",{class:"ce-lab","aria-label":"Steps of the search"},...e.steps.map(([r,i,s],a)=>o("li",{class:"ce-step"},o("b",{},`${a+1} ${Ue[r][0]}`)," ",K(i),o("details",{open:n.folds.has(r)},o("summary",{onclick:()=>n.folds.has(r)?n.folds.delete(r):n.folds.add(r)},Ue[r][1]),K(s)))))}var me=class{constructor(n=[]){this.all=n,this.at=n.length-1}get now(){return this.all[this.at]??""}go(n){n!==this.now&&(this.all=[...this.all.slice(0,this.at+1),n].slice(-50),this.at=this.all.length-1)}step(n){let r=this.all[this.at+n];return r===void 0?"":(this.at+=n,r)}};function Qe(e){if(!e.startsWith("/")||e.length<2)return null;let n=/^\/(.+)\/(i?)$/.exec(e);return n?{pattern:n[1],regex:!0,ignore_case:n[2]==="i"}:{pattern:e.slice(1),regex:!1,ignore_case:!1}}function Ze(e,n){let r=new Map(e.map(s=>[s.target,s.rank])),i=new Set(n.map(s=>s.target));for(let s of n)s.was=r.get(s.target)??0;return e.filter(s=>!i.has(s.target))}function $e(e){return Object.fromEntries(Object.entries(e).filter(([,n])=>n!=null&&n!==""))}function Le(e,n,r,i){let s=Math.min(4,Math.max(.2,e.k*n)),a=s/e.k;return{k:s,x:r-(r-e.x)*a,y:i-(i-e.y)*a}}function Je({x:e,y:n,k:r},i,{width:s,height:a}){let p=(w,k,E,q)=>{let O=8-k*r,P=q-8-E*r;return O>P?(O+P)/2:Math.min(P,Math.max(O,w))},x=Math.min(...i.map(w=>w.x-w.width/2)),y=Math.max(...i.map(w=>w.x+w.width/2)),h=i.map(w=>w.y);return{k:r,x:p(e,x,y,s),y:p(n,Math.min(...h)-12,Math.max(...h)+12,a)}}function et(e,n){if(e===n)return`M${e.x+e.width/2} ${e.y-4}c26 -16 26 24 0 8`;if(Math.abs(e.x-n.x)<(e.width+n.width)/2){let p=Math.max(e.x+e.width/2,n.x+n.width/2)+18;return`M${e.x+e.width/2} ${e.y}C${p} ${e.y} ${p} ${n.y} ${n.x+n.width/2+5} ${n.y}`}let r=e.x<n.x?1:-1,i=e.x+r*e.width/2,s=n.x-r*(n.width/2+5),a=(i+s)/2;return`M${i} ${e.y}C${a} ${e.y} ${a} ${n.y} ${s} ${n.y}`}function tt(e,n,r,i){let s=u=>r.walk({...e,...u}),a=o("div",{class:"ce-details"}),p=async u=>{for(let L of q.querySelectorAll(".ce-box"))L.hasAttribute("aria-pressed")&&(L.classList.toggle("ce-chosen",L.getAttribute("data-id")===u),L.setAttribute("aria-pressed",String(L.getAttribute("data-id")===u)));h.value=u,w.disabled=k.disabled=!1,E.disabled=e.walk==="path"||u===e.symbol,E.textContent=`${x.includes(u)?"Remove":"Add"} its ${e.walk}`;let A=await r.tried(r.ask("details",{symbol:u}),()=>p(u));A&&a.replaceChildren(K(A.html))},x=e.expanded??[],y=()=>{let u=h.value,A=n.list.find(F=>F[0]===u)?.[2],L=x.filter(F=>F!==u),R=L.length<x.length,N=n.list.length;s({chosen:u,before:n.boxes.map(F=>F.id),expanded:R?L:[...x,u],grown:F=>R?`Removed the ${e.walk} of ${A}.`:F>N?`Added the ${e.walk} of ${A}: ${F-N} more in the graph, outlined.`:`The graph had all ${e.walk} of ${A} already.`})},h=o("select",{size:Math.max(2,Math.min(8,n.list.length)),class:"ce-list","aria-label":"Symbols in the graph"},...n.list.map(([u,A,L,R])=>o("option",{value:u},`${A<0?"possible":A||"start"}  ${L}  ${R}`)));h.addEventListener("change",()=>p(h.value)),h.addEventListener("dblclick",()=>r.open(h.value));let w=f("Start here","Show the graph around the chosen symbol",()=>s({symbol:h.value,others:[],opened:[],expanded:[],walk:e.walk==="path"?"callers":e.walk,trail:[...e.trail??[],e.symbol]})),k=f("Open source","Open the source of the chosen symbol",()=>r.open(h.value)),E=f(`Add its ${e.walk}`,"One more step of the walk, from the chosen symbol",y,{"data-key":"expand"});w.disabled=k.disabled=E.disabled=!0;let{svg:q,fit:O}=St(n,e.chosen,i,u=>{u.members?s({opened:[...e.opened??[],u.id]}):p(u.id)},r),P=[...e.target?["path"]:[],...r.known.walks],g=(u,A)=>u.map(L=>o("option",{value:L,selected:L===A},L)),T=(u,A,L,R)=>o("label",{},u," ",o("select",{onchange:N=>R(N.target.value)},...g(A,L))),$=(u,A,L,R)=>o("label",{},u," ",o("input",{type:"number",value:A,...L,onchange:N=>R(Number(N.target.value))})),M=e.kinds??null,J=o("details",{class:"ce-more",open:r.moreGraph},o("summary",{onclick:()=>{r.moreGraph=!r.moreGraph}},"Graph options"),o("div",{class:"ce-row"},$("Minimum confidence",e.confidence??r.known.defaults.confidence,{min:0,max:1,step:.05},u=>s({confidence:u,expanded:[]})),o("label",{},o("input",{type:"checkbox",checked:e.tests??!0,onchange:u=>s({tests:u.target.checked,expanded:[]})})," include tests"),T("Group by",r.known.groupings,e.by??r.known.groupings[0],u=>s({by:u,opened:[]})),...r.known.edges.map(u=>o("label",{},o("input",{type:"checkbox","data-kind":u,checked:M?M.includes(u):!1,onchange:A=>{let L=[...M??[]].filter(R=>R!==u);s({kinds:A.target.checked?[...L,u]:L.length?L:null,expanded:[]})}}),` ${u}`)))),C=o("input",{type:"search",placeholder:"Find in graph","aria-label":"Find in graph",oninput:u=>{let A=u.target.value.toLowerCase();for(let L of h.options)L.hidden=!!A&&!L.text.toLowerCase().includes(A);for(let L of q.querySelectorAll(".ce-box"))L.classList.toggle("ce-match",!!A&&(L.querySelector("title")?.textContent??"").toLowerCase().includes(A))},onkeydown:u=>{if(u.key!=="Enter")return;let A=[...h.options].filter(N=>!N.hidden),L=A.findIndex(N=>N.selected),R=A[(L+1)%A.length];R&&p(R.value)}}),V=o("div",{class:"ce-said"},K(n.said)),W=o("div",{class:"ce-picture",title:"Drag to move; Ctrl and the wheel zoom"},q);e.chosen&&p(e.chosen);let ne=e.trail??[],Y=o("div",{class:"ce-row"},f("\u2212","Zoom out",()=>O(.8),{"aria-label":"Zoom out"}),f("+","Zoom in",()=>O(1.25),{"aria-label":"Zoom in"}),f("Fit","Show all of it",()=>O(0)),e.opened?.length?f("Close groups","Show the groups of the first view again",()=>s({opened:[]})):null,n.list.length>12?C:null,o("span",{class:"ce-row ce-picked",role:"group","aria-label":"Chosen symbol"},k,E,w));return[o("div",{class:"ce-row"},T("Show",P,e.walk,u=>s({walk:u,kinds:null,opened:[],expanded:[]})),$("Steps",e.depth??1,{min:1,max:10,disabled:!r.known.deep.includes(e.walk)},u=>s({depth:Math.max(1,Math.min(10,u)),opened:[]})),ne.length?f("Back to before","The start before",()=>s({symbol:ne.at(-1),trail:ne.slice(0,-1),opened:[],expanded:[]})):null,J),...e.walk==="path"?[Y,W,V]:[V,Y,W],o("small",{},Lt(n)),o("div",{class:"ce-row ce-reached"},h),a]}function Lt(e){let n=new Map;for(let[,s]of e.list)n.set(s,(n.get(s)??0)+1);let r=[...n].map(([s,a])=>s>0?`${a} at step ${s}`:s?`${a} only possible`:`${a} at the start`),i=e.boxes.some(s=>s.members);return`${e.list.length} symbols: ${r.join(", ")}. In the picture ${e.boxes.length} boxes${e.cut?`, without ${e.cut} of them`:""}${i?"; a round one holds several symbols":""}.`}function St(e,n,r,i,s){let[a,p]=e.size,x=Math.max(s.graphWidth(),240),y=Math.min(780,Math.max(80,p+40)),h=`ce-arrow-${Math.random().toString(36).slice(2)}`,w=_("g"),k=_("svg",{class:"ce-svg",width:x,height:y,role:"group","aria-label":e.title});k.append(_("defs",{},_("marker",{id:h,viewBox:"0 0 6 6",refX:5,refY:3,markerWidth:7,markerHeight:7,orient:"auto"},_("path",{d:"M0 0L6 3L0 6z",class:"ce-head"}))),w);for(let[g,T,$,M,J]of e.links)w.append(_("path",{class:`ce-edge ce-${J} ce-kind-${$}`,d:et(e.boxes[g],e.boxes[T]),"marker-end":`url(#${h})`},_("title",{},M)));for(let g of e.boxes){let T=_("g",{class:`ce-box${g.start?" ce-start":""}${g.certain?"":" ce-unsure"}${g.test?" ce-test":""}${r&&!r.includes(g.id)?" ce-new":""}`,tabindex:0,role:"button","data-id":g.id,transform:`translate(${g.x} ${g.y})`,"aria-label":g.title,"aria-pressed":g.members?void 0:"false"},_("title",{},g.title),_("rect",{x:-g.width/2,y:-12,width:g.width,height:24,rx:g.members?12:3}),_("text",{"text-anchor":"middle",y:4},g.label));T.addEventListener("click",()=>i(g)),T.addEventListener("dblclick",()=>g.members||s.open(g.id)),T.addEventListener("keydown",$=>{let M=$.key;M!=="Enter"&&M!==" "||($.preventDefault(),$.stopPropagation(),M==="Enter"&&T.classList.contains("ce-chosen")&&!g.members?s.open(g.id):i(g))}),w.append(T)}let E={x:0,y:0,k:1},q=()=>w.setAttribute("transform",`translate(${E.x} ${E.y}) scale(${E.k})`),O=g=>{if(g)E=Le(E,g,x/2,y/2);else{let T=Math.min(1,Math.max(.82,(x-16)/a)),$=e.boxes.some(M=>M.start&&M.x>0);E={k:T,x:a*T<=x?x/2:$?x-8-a*T/2:8+a*T/2,y:p*T>y?8+p*T/2:y/2}}q()};O(0);let P=e.boxes.filter(g=>g.id===n||r&&!r.includes(g.id));return P.length&&(E=Je(E,P,{width:x,height:y})),q(),k.addEventListener("wheel",g=>{if(!g.ctrlKey&&!g.metaKey)return;g.preventDefault();let T=k.getBoundingClientRect();E=Le(E,g.deltaY<0?1.15:1/1.15,g.clientX-T.left,g.clientY-T.top),q()},{passive:!1}),k.addEventListener("pointerdown",g=>{if(g.target.closest(".ce-box"))return;let T={x:g.clientX-E.x,y:g.clientY-E.y};k.setPointerCapture(g.pointerId);let $=M=>{E={...E,x:M.clientX-T.x,y:M.clientY-T.y},q()};k.addEventListener("pointermove",$),k.addEventListener("pointerup",()=>k.removeEventListener("pointermove",$),{once:!0})}),{svg:k,fit:O}}function ge(e,n){return e.map(([r,i,s,a])=>{if(!i&&!s&&!a?.length)return r;if(!a?.length)return o(s?"mark":"span",{class:i||void 0},r);let p=o("a",{href:"#",class:`ce-link ${i??""}`,"data-id":a[0],"data-ids":a.length>1?a.join(`
`):void 0},...typeof r=="string"?[s?o("mark",{},r):r]:ge(r,n));p.addEventListener("click",x=>{x.preventDefault(),x.altKey?n.walk({symbol:a[0],others:a.slice(1),walk:"callers"}):a.length>1?Et(p,a,n):n.open(a[0])}),p.addEventListener("mouseenter",()=>ot(p,a[0],n)),p.addEventListener("focus",()=>ot(p,a[0],n));for(let x of["mouseleave","blur"])p.addEventListener(x,()=>{n.peek.contains(document.activeElement)||n.hide()});return p})}var nt=e=>typeof e=="string"?e:e.map(n=>nt(n[0])).join("");async function Et(e,n,r){let i=await Promise.all(n.slice(0,12).map(s=>r.ask("peek",{symbol:s}).catch(()=>null)));r.showPeek(e,o("div",{},o("b",{},"This name may mean:"),...i.filter(Boolean).map(s=>f(`${s.name}  ${s.place}`,"Open its definition",()=>r.open(s.target),{class:"ce-row-button"})))),r.peek.querySelector("button")?.focus()}async function ot(e,n,r){if(await new Promise(s=>setTimeout(s,150)),!e.matches(":hover, :focus"))return;let i=await r.ask("peek",{symbol:n}).catch(()=>null);!i||!e.isConnected||!e.matches(":hover, :focus")||r.showPeek(e,o("div",{},o("code",{},i.signature||i.name),o("div",{},i.doc),o("small",{},[i.counts,i.place,"Alt+click: callers"].filter(Boolean).join(" \xB7 "))))}function at(e,n){let r=String(e.lines.at(-1)?.[0]??1).length,i=e.lines.map(([h,w])=>o("div",{class:h===e.at?"ce-line ce-at":"ce-line"},o("span",{class:"ce-no",style:`width:${r+1}ch`},String(h)),o("span",{class:"ce-text"},...ge(w,n)))),s=(h,w)=>h?[f(w,"The source is shown in parts",()=>n.open(e.row.target,{first:h,keep:!1}))]:[],a=f("Copy","Copy this code",()=>n.copy(e.lines.map(([,h])=>nt(h)).join(`
`))),p=e.crumbs.flatMap(([h,w]=["",""],k)=>[k?" \u203A ":"",f(w,h,()=>n.open(h),{class:"ce-crumb-button"})]),x=e.edit.href?o("a",{class:"ce-edit",title:"Open the file in the editor",...e.edit},e.row.place):o("span",{class:"ce-edit"},e.row.place),y=e.row.kind==="text"?[]:[f("Callers","Draw what calls it (Alt+click a name)",()=>n.walk({symbol:e.row.target,walk:"callers"}))];return[o("div",{class:"ce-bar"},f("\u2190","Back (Alt+Left)",()=>n.step(-1),{class:"ce-back","aria-label":"Back"}),f("\u2192","Forward (Alt+Right)",()=>n.step(1),{"aria-label":"Forward"}),o("nav",{class:"ce-crumb","aria-label":"Where this source is"},...p),x,...y,a,f("\xD7","Close the source (Escape)",()=>n.close(),{"aria-label":"Close the source"})),e.note&&o("p",{class:"ce-dim"},e.note),...s(e.before,"Lines before"),o("pre",{class:"ce-source codeexplore",tabindex:0,role:"region","aria-label":`Source of ${e.row.name}`},...i),...s(e.after,`Lines after, of ${e.of}`)].filter(Boolean)}var Tt=["bm25","embedding","graph"],At=e=>Tt.find(n=>e===n||e.endsWith(`-${n}`))??"signal";function rt(e,n){let r=f("","Open its source",()=>n.open(e.target),{class:"ce-hit-name","data-target":e.target}),i=Math.max(e.name.lastIndexOf("."),e.name.lastIndexOf(":"))+1;r.append(o("small",{},e.name.slice(0,i)),o("b",{},e.name.slice(i)));let s=(e.bars??[]).map(([x,y])=>o("i",{class:`ce-share ce-of-${At(x)}`,style:`width:${(y*100).toFixed(1)}%`,title:x})),a=o("div",{class:"ce-reason"}),p=e.bars&&f("why","Show how the score adds up",async()=>{let x=p.getAttribute("aria-expanded")==="true";if(p.setAttribute("aria-expanded",String(!x)),n.whys[x?"delete":"add"](e.target),x)return a.replaceChildren();let y=await n.tried(n.ask("why",{rank:e.rank}));y&&a.replaceChildren(o("div",{},"The largest part of the score is ",o("b",{},y.largest)),o("small",{},y.note),o("code",{class:"ce-sum"},y.sum),K(y.html))},{class:"ce-why","aria-expanded":"false","aria-label":`Why hit ${e.rank}`});return p&&(n.options.explain||n.whys.has(e.target))&&p.click(),o("li",{class:"ce-hit"},o("div",{class:"ce-hit-head"},o("span",{class:"ce-rank"},`${e.rank}`),o("div",{},r," ",o("small",{},`${e.kind} ${e.place}`)," ",e.role&&o("em",{},e.role),Mt(e))),e.signature&&o("code",{class:"ce-signature"},e.signature),e.doc&&o("div",{class:"ce-doc"},e.doc),...(e.lines??[]).map(([x,y])=>o("code",{class:"ce-signature"},`${x}  `,...ge(y,n))),o("div",{class:"ce-hit-why"},e.bars&&o("span",{class:"ce-bars","aria-hidden":"true"},...s),o("small",{class:"ce-sentence"},e.why),p||null),a)}var Mt=e=>e.was===void 0||e.was===e.rank?null:o("small",{class:"ce-moved"},e.was?`${e.was>e.rank?"\u25B2":"\u25BC"} was ${e.was}`:"new");function st(e,n,r){let i=a=>e.filter(a).length,s=[[i(a=>!a.was),"new"],[i(a=>a.was>a.rank),"moved up"],[i(a=>a.was&&a.was<a.rank),"moved down"],[n.length,"gone"]].flatMap(([a,p])=>a?[`${a} ${p}`]:[]);return o("div",{class:"ce-row ce-changes"},`Your choices changed the hits: ${s.join(", ")||"nothing; they are the same, in the same order"}${n.length?":":"."}`,...n.map(a=>f(`${a.name.slice(-40).split(/[.:#]/).at(-1)} (was ${a.rank})`,a.name,()=>r.open(a.target))))}function it(e,n){let r=e.verdict&&o("p",{class:`ce-verdict ce-${e.verdict.kind}`},o("b",{},{found:"found",none:"none",possible:"may be",unknown:"unknown"}[e.verdict.kind]??"")," ",e.verdict.text);return[e.words&&o("p",{class:e.confidence==="none"?"ce-verdict ce-none":"ce-verdict"},e.words),r,...(e.notices??[]).map(i=>o("p",{class:"ce-dim"},i)),e.steps?.length?o("div",{class:"ce-row"},...e.steps.map(i=>n.stepButton(i))):null].filter(Boolean)}var Se=class extends Error{constructor(n){super(n.error),this.steps=n.steps??[]}};function ct(e,n,r=()=>{}){let i=new Map,s=Math.random().toString(36).slice(2),a=0,p=!1,x=(h,w)=>{if(h?.event)return r(h);let k=i.get(h?.id);k&&(i.delete(h.id),p&&r({event:"slow",is:p=!1}),h.ok?k.ok({...h,buffers:w}):k.no(new Se(h)))};e.on("msg:custom",x),n?.addEventListener("abort",()=>e.off("msg:custom",x));let y=6e4;return(h,w={},k=y)=>new Promise((E,q)=>{let O=`${s}-${++a}`;i.set(O,{ok:E,no:q});try{e.send({id:O,kind:h,args:w})}catch{return i.delete(O),q(new Error("The kernel was restarted or has ended. Run the cell again."))}k===y&&h!=="fresh"&&setTimeout(()=>i.has(O)&&r({event:"slow",is:p=!0}),4e3),setTimeout(()=>i.delete(O)&&q(new Error("No answer yet: the kernel is busy or gone.")),k)})}async function lt(e){let n="buffer"in e?new Uint8Array(e.buffer,e.byteOffset,e.byteLength):e,r=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(r).text()}function dt(e,n,r=10){let i=n.toLowerCase().replace(/\s+/g,"");if(!i)return[];let s=[];for(let a=0;a<e.length;a++){let p=e[a],x=Ot(p,i);x>0&&s.push([x-a/e.length-p.low.length/1e3,p])}return s.sort((a,p)=>p[0]-a[0]).slice(0,r).map(a=>a[1])}function Ot(e,n){if(e.name===n)return 1e3;if(e.name.startsWith(n))return 800;if(e.name.includes(n))return 600;if(e.low.includes(n))return 400;let r=-1,i=0;for(let s of n){let a=e.low.indexOf(s,r+1);if(a<0)return 0;r>=0&&(i+=a-r-1),r=a}return Math.max(1,200-i)}var pt=e=>e.split(`
`).filter(Boolean).map(n=>{let[r,i,s]=n.split("	"),a=r.toLowerCase();return{fqn:r,low:a,name:a.slice(Math.max(a.lastIndexOf("."),a.lastIndexOf(":"))+1),kind:i,id:s}});function ht(e){let n=/[\w.:$]+$/.exec(e);return n?[e.slice(0,n.index),n[0]]:[e,""]}async function qt({model:e,el:n,signal:r}){let i=ct(e,r,vt),s=new me([...e.get("history")??[]]),a=0,p=0,x=0,y=0,h=0,w=0,k=0,E=2e3,q="",O="",P=[],g=null,T=[],$=null,M=null,J=null,C=o("input",{type:"text",class:"ce-ask-input",role:"combobox","aria-label":"Question or name","aria-expanded":"false","aria-autocomplete":"list","aria-controls":`ce-names-${ut()}`,autocomplete:"off",spellcheck:"false",placeholder:"a name, \u201Cwhat calls \u2026?\u201D, a description, /text or /regex/"}),V=o("ul",{class:"ce-names",role:"listbox",id:C.getAttribute("aria-controls"),"aria-label":"Names"}),W=o("textarea",{rows:8,"aria-label":"Bug report",placeholder:"an issue, an error message or a stack trace",hidden:!0}),ne=o("span",{class:"ce-title"}),Y=o("div",{class:"ce-status",role:"status","aria-live":"polite"}),u=o("div",{class:"ce-alert"}),A=o("div",{class:"ce-stale"}),L=o("div",{class:"ce-row ce-lanes"}),R=o("div"),N=o("div",{class:"ce-code-box"}),F=o("div"),ae=o("div",{class:"ce-view"}),de=o("div",{class:"ce-compare"}),X=o("div",{class:"ce-found"}),H=o("ol",{class:"ce-rows","aria-label":"Hits"}),xe=o("div",{class:"ce-side"}),D=o("div",{class:"ce-open"}),I=o("div",{class:"ce-graph"}),G=o("div",{class:"ce-peek",role:"tooltip"}),Ee={lab:f("Lab","Every step of the search with its numbers and controls",()=>bt(e.get("options").view==="lab"?"ask":"lab"),{"aria-pressed":"false"})},Te=o("div",{class:"ce-tabs",role:"group","aria-label":"Show"},f("Hits","Show the hits",()=>ie("hits")),f("Source and graph","Show the source and the graph",()=>ie("side"))),Ae=o("span",{class:"ce-row ce-heading-buttons"}),B=o("div",{class:"ce-root"},o("style",{},Ke,_e),o("div",{class:"ce-row ce-heading"},ne,Ae),F,o("div",{class:"ce-ask"},C,f("Ask","Ask this question (Enter)",()=>j()),f("Paste a report","Open a larger box for text of several lines, such as a stack trace",()=>Re(),{class:"ce-paste","aria-pressed":"false"}),V),W,L,R,N,ae,o("div",{class:"ce-state"},Y,u,A),Te,o("div",{class:"ce-body"},o("div",{class:"ce-hits"},de,X,H),xe),G);xe.append(D,I),n.append(B);let v={ask:i,peek:G,known:null,options:{...e.get("options")},folds:new Set,whys:new Set,moreGraph:!1,open:Z,step:we,close:ve,walk:ce,choose:xt,tried:U,stepButton:Me,showPeek:ft,hide:()=>G.classList.remove("on"),copy:t=>{z(Ge(t)?"Copied.":"The browser refused to copy: select the text and press Ctrl+C.")},graphWidth:()=>(I.clientWidth||xe.clientWidth||B.clientWidth)-4,reset:()=>{let{view:t,explain:c}=v.options;v.options=$e({view:t,explain:c}),se({options:v.options}),j(),ee()}};function z(t="",c=!1){Y.textContent=t,Y.classList.toggle("ce-busy",c)}function re(t,...c){z();for(let d of[X,H,D,I])d.classList.remove("ce-old");u.replaceChildren(o("div",{role:"alert",class:"ce-bad"},o("span",{},`\u26A0 ${t.message??t}`),...(t.steps??[]).map(Me),...c.filter(Boolean),!e.get("title")&&f("Open\u2026","Open a repository",ye),/kernel/.test(t.message)&&f("Try again","Ask once more",()=>fe())))}async function U(t,c){try{return await t}catch(d){return re(d,c&&!d.steps?.length?f("Try again","Try once more",c):null),null}}function Me(t){let c={ask:()=>{C.value=t.argument||C.value,j()},grep:()=>{C.value=`/${t.argument}`,j()},source:()=>Z(t.argument),refresh:()=>Ce()};return c[t.kind]?f(t.label,t.does||"The next step",()=>{u.replaceChildren(),c[t.kind]()},{class:"ce-next"}):f(`Copy: ${t.label}`,"Copy this call, to run it in a cell",()=>v.copy(t.label.split(" ")[0]),{class:"ce-next"})}function se(t){for(let[c,d]of Object.entries(t))e.set(c,d);try{e.save_changes()}catch{}}function pe(t,...c){let d=m=>`${m.dataset.key??m.getAttribute("aria-label")??m.closest("label")?.firstChild?.textContent??m.textContent}`,l=t.contains(je())?je():null,S=l&&d(l);if(t.replaceChildren(...c),!l)return;let b=[...t.querySelectorAll("button, input, select, summary, [tabindex]")];(b.find(m=>d(m)===S&&!m.disabled)??b.find(m=>!m.disabled))?.focus()}function ft(t,c){G.replaceChildren(c),Object.assign(G.style,{left:"0",top:"0"}),G.classList.add("on");let d=t.getBoundingClientRect(),l=B.getBoundingClientRect(),S=d.bottom-l.top+2,b=d.top-l.top-G.offsetHeight-2;Object.assign(G.style,{left:`${Math.max(0,Math.min(d.left-l.left,l.width-G.offsetWidth-4))}px`,top:`${S+G.offsetHeight>l.height&&b>0?b:S}px`})}async function Oe(){g??=i("names").then(async t=>{P=pt(await lt(t.buffers[0]))}).catch(()=>{g=null}),await g}let Q=-1,be=0;async function qe(){let t=C.value,c=++be;if(P.length||await Oe(),c!==be)return;let[d,l]=t.startsWith("/")?["",""]:ht(t),S=l.length>1||!d&&l?dt(P,l,10):[],b=T.filter(m=>m!==t&&m.toLowerCase().includes(t.toLowerCase())).slice(0,3);Q=-1,V.replaceChildren(...S.map(m=>We(()=>d.trim()?Be(d+m.fqn):(he(),Z(m.id)),m.fqn,m.kind)),...(t?b:[]).map(m=>We(()=>{Be(m),j()},m,"asked before"))),Ne(V.childElementCount>0)}function We(t,c,d){return o("li",{role:"option",id:`ce-name-${ut()}`,"aria-selected":"false",onmousedown:l=>{l.preventDefault(),t()},onclick:()=>{}},o("span",{},c),o("small",{},d))}function Be(t){C.value=t,he(),C.focus()}function he(){be++,Q=-1,V.replaceChildren(),Ne(!1)}function Ne(t){C.setAttribute("aria-expanded",String(t)),C.removeAttribute("aria-activedescendant")}function mt(t){let c=[...V.children];Q=Math.max(-1,Math.min(c.length-1,Q+t)),c.forEach((d,l)=>d.setAttribute("aria-selected",String(l===Q))),Q>=0?C.setAttribute("aria-activedescendant",c[Q].id):C.removeAttribute("aria-activedescendant")}async function j(){let t=++a,c=W.hidden?C.value.trim():W.value.trim();if(clearTimeout(w),he(),v.hide(),u.replaceChildren(),A.replaceChildren(),se({question:c}),c!==O&&ie("hits"),!c)return O="",$=null,B.classList.add("ce-empty"),H.replaceChildren(),de.replaceChildren(),I.replaceChildren(),z(),ee(),Pe();B.classList.remove("ce-empty"),z("Searching \u2026",!0);for(let l of[X,H,I])l.classList.add("ce-old");let d=Qe(c);try{let l=await(d?i("grep",d):i("search",{question:c,options:v.options}));if(t!==a)return;W.hidden&&!T.includes(c)&&T.unshift(c),$={...l,grep:!!d};let S=JSON.stringify({...v.options,view:"",explain:""});(c!==O||!J)&&(J={rows:l.rows,options:S});let b=S!==J.options&&!d?Ze(J.rows,l.rows):null;if(c!==O&&D.replaceChildren(),O=c,z(`${l.said} in ${l.took} ms`),X.replaceChildren(...it(l,v),...b?[st(l.rows,b,v)]:[],...l.reading?[o("div",{class:"ce-reading"},K(l.reading))]:[]),H.replaceChildren(...l.rows.map(m=>rt(m,v))),N.childElementCount&&le(),!l.rows.length&&!l.verdict&&H.append(o("li",{},d?"No file contains it.":"No hits.")),!l.rows.length&&d&&!d.regex&&/[\\^$.*+?()[\]{}|]/.test(d.pattern)){let m=()=>{C.value=`/${d.pattern}/`,j()};H.append(o("li",{},f("Search it as a regular expression","Find what the pattern matches",m)))}for(let m of[X,H])m.classList.remove("ce-old");gt(l),ee(),d||!l.start?(I.replaceChildren(),I.classList.remove("ce-old")):ce({symbol:l.start,walk:l.walk,depth:l.depth,target:l.target}),Ie(2e3)}catch(l){if(t!==a)return;$=null;for(let b of[X,H,I])b.replaceChildren();ee();let S=()=>{C.value=`/${d?.pattern}`,j()};re(l,d?.regex&&f("Search for the text as it is","Without a regular expression",S),Object.keys(v.options).some(b=>b!=="view"&&b!=="explain")&&f("Reset to automatic","Undo your choices and ask again",()=>v.reset()))}}function gt(t){if(!t.choices?.length)return;let c=t.choices.map(l=>l[0]),d=l=>ce({symbol:l[0],others:l.slice(1),walk:t.walk,depth:t.depth});X.append(o("div",{class:"ce-row ce-choices"},"The name may mean:",...t.choices.slice(0,8).map(([l,S,b])=>f(`${S} (${b})`,"Show its graph",()=>d([l]))),f(`All ${c.length}`,"Show the graph around all of them",()=>d(c))))}function xt(t,c=0){v.options=$e({...v.options,...t}),se({options:v.options}),clearTimeout(w),(C.value.trim()||W.value.trim())&&(w=setTimeout(j,c))}function Pe(){X.replaceChildren(o("p",{},e.get("title")?`Type a name or a question${v.known.starters.length?", or start with one of these:":"."}`:"Open a repository to ask about it."),o("div",{class:"ce-row ce-starters"},...v.known.starters.map(t=>f(t,"Ask this question",()=>{C.value=t,j()}))),K(v.known.summary)),X.classList.remove("ce-old")}async function Z(t,{keep:c=!0,first:d=0}={}){let l=++p;v.hide(),u.replaceChildren(),D.classList.add("ce-old");let S=Y.textContent??"",b="Opening the source \u2026";Y.classList.contains("ce-busy")||z(b,!0);let m=await U(i("source",{target:t,first:d}),()=>Z(t,{keep:c,first:d}));if(Y.textContent===b&&l===p&&z(S===b?"":S),!m||l!==p)return D.classList.remove("ce-old");c&&s.go(t),se({history:s.all}),q=m.row.target,D.classList.remove("ce-old"),D.replaceChildren(...at(m,v)),ie("side");for(let oe of H.querySelectorAll(".ce-hit-name"))oe.closest("li")?.classList.toggle("ce-current",oe.dataset.target===t);let te=D.querySelector(".ce-at"),ue=D.querySelector(".ce-source");te&&te.offsetTop>ue.clientHeight&&(ue.scrollTop=te.offsetTop-40),d||ue.focus({preventScroll:!0}),N.childElementCount&&le(),m.row.kind!=="text"&&m.row.kind!=="module"&&ce({symbol:m.row.target,walk:$?.walk&&$.walk!=="path"?$.walk:"callers"},!1)}function we(t){let c=s.step(t);c?Z(c,{keep:!1}):t<0&&ve()}function ve(){D.replaceChildren(),q="",se({place:""}),ie("hits"),(H.querySelector(".ce-current .ce-hit-name")??H.querySelector(".ce-hit-name")??C).focus()}function ie(t){B.classList.toggle("ce-show-side",t==="side"),[...Te.children].forEach((c,d)=>c.setAttribute("aria-pressed",String(t==="side"==(d===1))))}async function ce(t,c=!0){let d=++x,{grown:l,before:S,...b}=t,{trail:m,chosen:te,...ue}=b;I.classList.add("ce-old"),h=v.graphWidth(),M=b;try{let oe=await i("graph",{...ue,width:h});if(d!==x)return;pe(I,...tt(b,oe,v,S)),l&&z(l(oe.list.length)),S&&I.querySelector(".ce-picture")?.scrollIntoView({block:"nearest"}),N.childElementCount&&le()}catch(oe){if(d!==x)return;I.replaceChildren(),M=null,c&&re(oe,f("Try again","Draw it once more",()=>ce(t)))}I.classList.remove("ce-old")}function Re(){W.hidden=!W.hidden,C.disabled=!W.hidden,B.querySelector(".ce-paste")?.setAttribute("aria-pressed",String(!W.hidden)),W.hidden?C.focus():W.focus()}function bt(t){v.options={...v.options,view:t},se({options:v.options}),ee()}function wt(t){return $?$.grep?"A text search uses none of these.":t?"Your choice, for every question.":$.lanes&&`Chosen for this question: ${$.lanes}.`:""}async function ee(){let t=v.options.view==="lab";Ee.lab.setAttribute("aria-pressed",String(t)),B.classList.toggle("ce-in-lab",t);let c=["lanes","weights","relation","direction","depth"].some(m=>v.options[m]);if(pe(L,...Ve($?.health??null,v,!!$?.grep),o("small",{class:"ce-chosen-by"},wt(c)),...c&&!t?[f("Reset to automatic","Undo your choices",()=>v.reset())]:[]),!t){R.replaceChildren(),de.replaceChildren();return}if(pe(R,Ye(v)),!$||$.grep)return de.replaceChildren();let d=await U(i("lab"),ee);if(!d)return;let l=o("div"),S=v.comparing??"",b=async m=>{if(v.comparing=m,!m)return l.replaceChildren();let te=await U(i("compare",{other:m}),()=>b(m));te&&l.replaceChildren(K(te.html))};pe(de,Xe(d,v),o("div",{class:"ce-row"},o("label",{},"Compare with ",o("select",{onchange:m=>b(m.target.value)},o("option",{value:""},"nothing"),...v.known.others.map(m=>o("option",{value:m,selected:m===S},m)))),f("Keep to compare","Compare later answers with this one",async()=>{await U(i("keep"))&&z("Kept: choose \u201Cthe answer you kept\u201D.")})),l),S&&b(S)}let je=()=>B.getRootNode().activeElement??null;async function le(){let t=await U(i("code"),le);t&&N.replaceChildren(o("pre",{tabindex:0,role:"region","aria-label":"Python code"},t.code),f("Copy","Copy this code into a cell",()=>v.copy(t.code)))}function ze(t,c){t.childElementCount?t.replaceChildren():c()}function ye(){let t=o("input",{type:"text",class:"ce-where",placeholder:"a folder, an installed package, or a git URL","aria-label":"Repository"}),c=o("progress",{max:1,value:0,"aria-label":"Progress"}),d=o("small",{class:"ce-stage"}),l=f("Cancel","Stop loading; the open repository stays open",()=>i("cancel"),{disabled:!0}),S=async()=>{u.replaceChildren(),l.disabled=!1,d.textContent="starting";try{await i("open",{where:t.value},36e5),F.replaceChildren(),P=[],g=null,s.all=[],s.at=-1,D.replaceChildren(),await fe()}catch(b){l.disabled=!0,d.textContent="",/cancelled/.test(b.message)?z(b.message):re(b)}};t.addEventListener("keydown",b=>{b.key==="Enter"&&(b.stopPropagation(),S())}),F.replaceChildren(o("div",{class:"ce-row ce-load"},t,f("Load","Load this repository",S),l,c,d)),t.focus()}function ke(){let{known:t}=v;ne.replaceChildren("Explore ",o("b",{},e.get("title")||"nothing"),o("small",{},t.size?` \xB7 ${t.size}`:" \xB7 no repository is open")),pe(Ae,Ee.lab,f("Open\u2026","Open another repository",()=>ze(F,ye)),...t.views.map(c=>f(c.title,c.tip,()=>De(c.key))),f("Python code","Show Python code that computes this view again",()=>ze(N,le)),f("Pin","Save this answer under the explorer, as part of the notebook",async()=>{let c=await U(i("pin"));if(c){t.pins=!0,ke();for(let d=0;d<40&&!document.getElementsByClassName(c.place).length;d++)await new Promise(l=>setTimeout(l,100));document.getElementsByClassName(c.place).length?z("Pinned below, until a restarted kernel runs this cell again."):re({message:"This page was loaded after the cell ran, so it can't show the pin. Run the cell again: it has the pin."})}}),...t.pins?[f("Remove pins","Remove what is saved under the explorer",async()=>{await U(i("unpin"))&&(t.pins=!1,ke(),z("Pins removed."))})]:[])}async function De(t){if(ae.dataset.key===t)return ae.dataset.key="",ae.replaceChildren();z("Working \u2026",!0);let c=await U(i("view",{key:t},6e5),()=>De(t));z(),c&&(ae.dataset.key=c.html?t:"",ae.replaceChildren(K(c.html)))}function Ie(t){clearTimeout(k),E=t,k=setTimeout(async()=>{if(!$||$.grep)return;let c=performance.now(),d=a,l=await i("fresh").catch(()=>null);if(!(!l||d!==a)){if(l.again)return j();A.replaceChildren(...l.text?[o("span",{},l.text),l.step?f(l.step,"Load the changed files and ask again",()=>Ce()):""]:[]),Ie(/graph is ready/.test(l.text)?500:Math.min(Math.max(2*E,20*(performance.now()-c)),3e4))}},t)}async function Ce(){z("Loading the changed files \u2026",!0),await U(i("refresh",{},36e5),Ce)&&(P=[],g=null,await j(),s.now&&D.childElementCount&&Z(s.now,{keep:!1}))}function vt(t){let c=B.querySelector(".ce-stage"),d=B.querySelector("progress");t.event==="progress"&&c&&d&&(c.textContent=`${t.stage}${t.total>1?` ${t.done} of ${t.total}`:""}`,d.value=t.total?t.done/t.total:0),t.event==="slow"&&t.is?A.replaceChildren("The kernel has not answered yet: it is busy, or it was restarted. After a restart, run the cell again."):t.event==="slow"&&A.replaceChildren(),t.event==="code"&&N.childElementCount&&le(),t.event==="failed"&&re({message:t.error,steps:t.steps})}C.addEventListener("focus",Oe,{once:!0}),C.addEventListener("input",t=>{t.isComposing||qe()}),C.addEventListener("compositionend",()=>qe()),C.addEventListener("blur",()=>setTimeout(he,150)),B.addEventListener("click",t=>{let c=t.target,d=c.closest("a.ce-place"),l=c.closest("button.ce-copy");if(l){let b=l.parentElement?.querySelector("pre")?.cloneNode(!0);for(let m of b?.querySelectorAll(".ce-n")??[])m.remove();v.copy(l.dataset.copy??b?.textContent??"")}if(!d)return;t.preventDefault();let S=/^(.*):(\d+)/s.exec(d.textContent??"");S&&Z(`${d.getAttribute("title")?.match(/^(\S+):\d+/)?.[1]??S[1]}:${S[2]}`)}),B.addEventListener("keydown",t=>{if(t.isComposing)return;let c=t.target,d=[...H.querySelectorAll(".ce-hit-name")],l=d.indexOf(c),S=V.childElementCount,b=t.key==="ArrowDown"?1:t.key==="ArrowUp"?-1:0;if(t.altKey&&(t.key==="ArrowLeft"||t.key==="ArrowRight"))we(t.key==="ArrowLeft"?-1:1);else if(t.key==="Enter"&&c===C)Q>=0?V.children[Q].dispatchEvent(new MouseEvent("mousedown",{cancelable:!0})):j();else if(t.key==="Enter"&&c===W&&(t.ctrlKey||t.metaKey))j();else if(b&&c===C&&S)mt(b);else if(b&&(c===C||l>=0)){let m=l+b;(m<0?C:d[Math.min(m,d.length-1)])?.focus()}else if(t.key==="Escape")G.classList.contains("on")?v.hide():S?he():D.contains(c)&&c!==B?s.at>0?we(-1):ve():c!==C?C.focus():(C.value="",j());else{!t.ctrlKey&&!t.metaKey&&t.stopPropagation();return}t.preventDefault(),t.stopPropagation()}),globalThis.addEventListener("keydown",t=>{let c=t.composedPath()[0];c instanceof Element&&B.contains(c)&&c.toggleAttribute("data-lm-suppress-shortcuts",!(t.ctrlKey||t.metaKey))},{capture:!0,signal:r});let Fe=new ResizeObserver(([t])=>{B.classList.toggle("ce-narrow",t.contentRect.width<720),B.classList.toggle("ce-slim",t.contentRect.width<520),clearTimeout(y),y=setTimeout(()=>{M&&I.clientWidth&&Math.abs(v.graphWidth()-h)>30&&ce(M,!1)},300)});Fe.observe(B),r?.addEventListener("abort",()=>{Fe.disconnect();for(let t of[k,y,w])clearTimeout(t)}),e.on("change:place",()=>{let t=e.get("place");t&&t!==s.now&&t!==q&&!D.classList.contains("ce-old")&&Z(t)}),e.on("change:question",()=>{let t=e.get("question");t!==(W.hidden?C.value.trim():W.value.trim())&&(He(t),j())}),e.on("change:options",()=>{e.get("options").view!==v.options.view&&(v.options={...e.get("options")},ee())});function He(t){t.includes(`
`)===W.hidden&&Re(),W.hidden?C.value=t:W.value=t}async function fe(){u.replaceChildren();let t=await U(i("start",{},6e5),fe);t&&(v.known=t,ke(),ee(),ie("hits"),e.get("title")||ye(),C.value||!W.hidden?await j():(B.classList.add("ce-empty"),Pe()),e.get("place")&&Z(e.get("place"),{keep:!s.all.length}))}He(e.get("question")??""),await fe()}var Wt=0,ut=()=>++Wt,so={render:qt};export{so as default};
