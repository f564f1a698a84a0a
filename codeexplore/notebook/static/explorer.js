var Ye=`/* Colours for the theme at hand: each is mixed with the colour that the host gives to text, so that it is dark on light
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
`;var Xe=`.ce-root {
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
.ce-root .ce-code-box pre {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  padding: 6px;
}
.ce-line {
  min-width: max-content;
  padding-right: 8px;
}
.ce-at {
  background: color-mix(in srgb, var(--hot) 9%, transparent);
}
.ce-site {
  background: color-mix(in srgb, #f2a600 22%, transparent);
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
  .ce-root.ce-root mark,
  .ce-root.ce-root mark * {
    forced-color-adjust: none;
    color: MarkText !important;
    background: Mark !important;
  }
  .ce-root .codeexplore span[style*="background"] {
    forced-color-adjust: none;
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
  .ce-site,
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
`;function o(e,n={},...r){let i=document.createElement(e);for(let[s,a]of Object.entries(n))a==null||a===!1||(s.startsWith("on")?i.addEventListener(s.slice(2),a):s==="value"||s==="checked"?i[s]=a:i.setAttribute(s,a===!0?"":String(a)));return i.append(...r.filter(s=>s!=null&&s!==!1)),i}function _(e,n={},...r){let i=document.createElementNS("http://www.w3.org/2000/svg",e);for(let[s,a]of Object.entries(n))s.startsWith("on")?i.addEventListener(s.slice(2),a):a!==void 0&&i.setAttribute(s,String(a));return i.append(...r),i}var Tt=new Set("A B BR BUTTON CAPTION CODE DETAILS DIV EM I IMG LI MARK OL P PRE SMALL SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL H3 H4".split(" ")),At=/^(class|style|title|role|alt|colspan|scope|open|tabindex|aria-[a-z]+|data-copy)$/;function F(e){let n=document.createDocumentFragment(),r=(i,s)=>{for(let a of i.childNodes){if(a.nodeType===3&&s.appendChild(document.createTextNode(a.textContent??"")),!(a instanceof Element)||!Tt.has(a.tagName))continue;let p=document.createElement(a.tagName);for(let{name:y,value:u}of a.attributes)At.test(y)&&!/url\(/i.test(u)&&p.setAttribute(y,u);let f=a.getAttribute("src")??"";a.tagName==="IMG"&&f.startsWith("data:image/svg+xml")&&p.setAttribute("src",f),a.matches("a.ce-place")&&p.setAttribute("href","#"),r(a,p),s.appendChild(p)}};return r(new DOMParser().parseFromString(e,"text/html").body,n),n}var h=(e,n,r,i={})=>o("button",{type:"button",title:n,onclick:r,...i},e);function Qe(e){let n=document.activeElement,r=o("textarea",{value:e});document.body.append(r),r.select();let i=document.execCommand("copy");return r.remove(),n?.focus({preventScroll:!0}),i}function Je(e,n,r){let{options:i,known:s}=n;return s.lanes.map(([a,p],f)=>{let[,y,u,b,w]=e?.[f]??[a,!0,1,"",!1],S=i.lanes?i.lanes.includes(a):y,W=i.weights?.[a]??u,M=o("input",{type:"checkbox",role:"switch",checked:S,disabled:r,"aria-label":p,onchange:T=>{let q=n.options.lanes??(e??[]).filter(C=>C[1]).map(C=>C[0]);n.choose({lanes:T.target.checked?[...q,a]:q.filter(C=>C!==a)})}}),B=o("small",{},`\xD7${Number(W).toFixed(1)}`),m=o("input",{type:"range",min:0,max:3,step:.1,value:W,disabled:!S||r,"aria-label":`Weight of ${p}`,title:"How much it counts",oninput:T=>{B.textContent=`\xD7${Number(T.target.value).toFixed(1)}`,n.choose({weights:{...n.options.weights,[a]:Number(T.target.value)}},120)}});return o("span",{class:`ce-lane ce-of-${a}`},o("label",{},M," ",p," ",o("small",{},`(${a})`)),m,B,o("small",{class:w?"ce-bad ce-health":"ce-health"},b))})}function et(e){let{options:n,known:r}=e,i=(y,u,b)=>o("label",{},y," ",o("input",{value:n[u]??"",...b,onchange:w=>e.choose({[u]:b.type==="number"?Number(w.target.value)||null:w.target.value})})),s=(y,u,b)=>o("label",{},o("input",{type:"checkbox",checked:n[u]??b,onchange:w=>e.choose({[u]:w.target.checked})}),` ${y}`),a=(y,u,b)=>o("label",{},y," ",o("select",{onchange:w=>e.choose({[u]:w.target.value})},...b.map(([w,S])=>o("option",{value:S,selected:String(n[u]??"")===String(S)},w)))),p=["automatic",""],f=y=>y.map(u=>[u,u]);return o("div",{class:"ce-row ce-options"},a("Relation","relation",[p,...f(r.relations)]),a("Direction","direction",[p,["towards it","in"],["away from it","out"],["both","both"]]),a("Depth","depth",[p,...f([1,2,3,4,5,6,7,8,9,10])]),a("Fusion","fusion",[["rrf (usual)",""],...f(r.fusions.slice(1))]),i("rrf_k","rrf_k",{type:"number",min:1,max:1e3,placeholder:r.defaults.rrf_k}),i("Hits","top_k",{type:"number",min:1,max:200,placeholder:r.defaults.top_k}),i("File paths","paths",{placeholder:"src/**, *_api.py"}),a("Language","language",[["all",""],...r.languages]),s("one per file","one_per_file",!1),s("include tests","tests",!0),h("Reset to automatic","Undo your choices: the program chooses for each question again",()=>e.reset()))}var Ze={question:["Question","What is a word?"],reading:["Query plan","What is a query plan?"],lanes:["Lanes","What is a lane?"],fusion:["Fusion","What is fusion?"],signals:["Signals","What is a signal?"],ranking:["Ranking","What is the ranking?"]};function tt(e,n){return o("ol",{class:"ce-lab","aria-label":"Steps of the search"},...e.steps.map(([r,i,s],a)=>o("li",{class:"ce-step"},o("b",{},`${a+1} ${Ze[r][0]}`)," ",F(i),o("details",{open:n.folds.has(r)},o("summary",{onclick:()=>n.folds.has(r)?n.folds.delete(r):n.folds.add(r)},Ze[r][1]),F(s)))))}var xe=class{constructor(n=[]){this.all=n,this.at=n.length-1}get now(){return this.all[this.at]??""}go(n){n!==this.now&&(this.all=[...this.all.slice(0,this.at+1),n].slice(-50),this.at=this.all.length-1)}step(n){let r=this.all[this.at+n];return r===void 0?"":(this.at+=n,r)}};function ot(e){if(!e.startsWith("/")||e.length<2)return null;let n=/^\/(.+)\/(i?)$/.exec(e);return n?{pattern:n[1],regex:!0,ignore_case:n[2]==="i"}:{pattern:e.slice(1),regex:!1,ignore_case:!1}}function nt(e,n){let r=new Map(e.map(s=>[s.target,s.rank])),i=new Set(n.map(s=>s.target));for(let s of n)s.was=r.get(s.target)??0;return e.filter(s=>!i.has(s.target))}function Se({name:e,place:n}){let r=n.replace(/:\d+$/,"");return(e.startsWith(r)||r.endsWith(e)?e.split("#")[0].lastIndexOf("/"):Math.max(e.lastIndexOf("."),e.lastIndexOf(":")))+1}function Ee(e){return Object.fromEntries(Object.entries(e).filter(([,n])=>n!=null&&n!==""))}function Te(e,n,r,i){let s=Math.min(4,Math.max(.2,e.k*n)),a=s/e.k;return{k:s,x:r-(r-e.x)*a,y:i-(i-e.y)*a}}function at({x:e,y:n,k:r},i,{width:s,height:a}){let p=(b,w,S,W)=>{let M=8-w*r,B=W-8-S*r;return M>B?(M+B)/2:Math.min(B,Math.max(M,b))},f=Math.min(...i.map(b=>b.x-b.width/2)),y=Math.max(...i.map(b=>b.x+b.width/2)),u=i.map(b=>b.y);return{k:r,x:p(e,f,y,s),y:p(n,Math.min(...u)-12,Math.max(...u)+12,a)}}function rt(e,n){if(e===n)return`M${e.x+e.width/2} ${e.y-4}c26 -16 26 24 0 8`;if(Math.abs(e.x-n.x)<(e.width+n.width)/2){let p=Math.max(e.x+e.width/2,n.x+n.width/2)+18;return`M${e.x+e.width/2} ${e.y}C${p} ${e.y} ${p} ${n.y} ${n.x+n.width/2+5} ${n.y}`}let r=e.x<n.x?1:-1,i=e.x+r*e.width/2,s=n.x-r*(n.width/2+5),a=(i+s)/2;return`M${i} ${e.y}C${a} ${e.y} ${a} ${n.y} ${s} ${n.y}`}function st(e,n,r,i){let s=g=>r.walk({...e,...g}),a=o("div",{class:"ce-details"}),p=async g=>{for(let $ of W.querySelectorAll(".ce-box"))$.hasAttribute("aria-pressed")&&($.classList.toggle("ce-chosen",$.getAttribute("data-id")===g),$.setAttribute("aria-pressed",String($.getAttribute("data-id")===g)));u.value=g,b.disabled=w.disabled=!1,S.disabled=e.walk==="path"||g===e.symbol,S.textContent=`${f.includes(g)?"Remove":"Add"} its ${e.walk}`;let A=await r.tried(r.ask("details",{symbol:g}),()=>p(g));A&&a.replaceChildren(F(A.html))},f=e.expanded??[],y=()=>{let g=u.value,A=n.list.find(H=>H[0]===g)?.[2],$=f.filter(H=>H!==g),P=$.length<f.length,D=n.list.length;s({chosen:g,before:n.boxes.map(H=>H.id),expanded:P?$:[...f,g],grown:H=>P?`Removed the ${e.walk} of ${A}.`:H>D?`Added the ${e.walk} of ${A}: ${H-D} more in the graph, outlined.`:`The graph had all ${e.walk} of ${A} already.`})},u=o("select",{size:Math.max(2,Math.min(8,n.list.length)),class:"ce-list","aria-label":"Symbols in the graph"},...n.list.map(([g,A,$,P])=>o("option",{value:g},`${A<0?"possible":A||"start"}  ${$}  ${P}`)));u.addEventListener("change",()=>p(u.value)),u.addEventListener("dblclick",()=>r.open(u.value));let b=h("Start here","Show the graph around the chosen symbol",()=>s({symbol:u.value,others:[],opened:[],expanded:[],walk:e.walk==="path"?"callers":e.walk,trail:[...e.trail??[],e.symbol]})),w=h("Open source","Open the source of the chosen symbol",()=>r.open(u.value)),S=h(`Add its ${e.walk}`,"One more step of the walk, from the chosen symbol",y,{"data-key":"expand"});b.disabled=w.disabled=S.disabled=!0,S.hidden=e.walk==="path";let{svg:W,fit:M}=Ot(n,e.chosen,i,g=>{g.members?s({opened:[...e.opened??[],g.id]}):p(g.id)},r),B=[...e.target?["path"]:[],...r.known.walks],m=(g,A)=>g.map($=>o("option",{value:$,selected:$===A},$)),T=(g,A,$,P)=>o("label",{},g," ",o("select",{onchange:D=>P(D.target.value)},...m(A,$))),q=(g,A,$,P)=>o("label",{},g," ",o("input",{type:"number",value:A,...$,onchange:D=>P(Number(D.target.value))})),C=e.kinds??null,Y=o("details",{class:"ce-more",open:r.moreGraph},o("summary",{onclick:()=>{r.moreGraph=!r.moreGraph}},"Graph options"),o("div",{class:"ce-row"},q("Minimum confidence",e.confidence??r.known.defaults.confidence,{min:0,max:1,step:.05},g=>s({confidence:g,expanded:[]})),o("label",{},o("input",{type:"checkbox",checked:e.tests??!0,onchange:g=>s({tests:g.target.checked,expanded:[]})})," include tests"),T("Group by",r.known.groupings,e.by??r.known.groupings[0],g=>s({by:g,opened:[]})),"Only",...r.known.edges.map(g=>o("label",{},o("input",{type:"checkbox","data-kind":g,checked:C?C.includes(g):!1,onchange:A=>{let $=[...C??[]].filter(P=>P!==g);s({kinds:A.target.checked?[...$,g]:$.length?$:null,expanded:[]})}}),` ${g}`)))),re=o("input",{type:"search",placeholder:"Find in graph","aria-label":"Find in graph",oninput:g=>{let A=g.target.value.toLowerCase();for(let $ of u.options)$.hidden=!!A&&!$.text.toLowerCase().includes(A);for(let $ of W.querySelectorAll(".ce-box"))$.classList.toggle("ce-match",!!A&&($.querySelector("title")?.textContent??"").toLowerCase().includes(A))},onkeydown:g=>{if(g.key!=="Enter")return;let A=[...u.options].filter(D=>!D.hidden),$=A.findIndex(D=>D.selected),P=A[($+1)%A.length];P&&p(P.value)}}),Q=o("div",{class:"ce-said"},F(n.said)),L=o("div",{class:"ce-picture",title:"Drag to move; Ctrl and the wheel zoom"},W);e.chosen&&p(e.chosen);let G=e.trail??[],O=o("div",{class:"ce-row"},h("\u2212","Zoom out",()=>M(.8),{"aria-label":"Zoom out"}),h("+","Zoom in",()=>M(1.25),{"aria-label":"Zoom in"}),h("Fit","Show all of it",()=>M(0)),e.opened?.length?h("Close groups","Show the groups of the first view again",()=>s({opened:[]})):null,n.list.length>12?re:null,o("span",{class:"ce-row ce-picked",role:"group","aria-label":"Chosen symbol"},w,S,b));return[o("div",{class:"ce-row"},T("Show",B,e.walk,g=>s({walk:g,kinds:null,opened:[],expanded:[]})),q("Steps",e.depth??1,{min:1,max:10,disabled:!r.known.deep.includes(e.walk)},g=>s({depth:Math.max(1,Math.min(10,g)),opened:[]})),G.length?h("Back to before","The start before",()=>s({symbol:G.at(-1),trail:G.slice(0,-1),opened:[],expanded:[]})):null,Y),...e.walk==="path"?[O,L,Q]:[Q,O,L],o("small",{},`${Mt(n)} Lines: solid is certain, thin likely, dashed possible.`),o("div",{class:"ce-row ce-reached"},u),a]}function Mt(e){let n=new Map;for(let[,s]of e.list)n.set(s,(n.get(s)??0)+1);let r=[...n].map(([s,a])=>s>0?`${a} at step ${s}`:s?`${a} only possible`:`${a} at the start`),i=e.boxes.some(s=>s.members);return`${e.list.length} symbols: ${r.join(", ")}. In the picture ${e.boxes.length} boxes${e.cut?`, without ${e.cut} of them`:""}${i?"; a round one holds several symbols":""}.`}function Ot(e,n,r,i,s){let[a,p]=e.size,f=Math.max(s.graphWidth(),240),y=Math.min(780,Math.max(80,p+40)),u=`ce-arrow-${Math.random().toString(36).slice(2)}`,b=_("g"),w=_("svg",{class:"ce-svg",width:f,height:y,role:"group","aria-label":e.title});w.append(_("defs",{},_("marker",{id:u,viewBox:"0 0 6 6",refX:5,refY:3,markerWidth:7,markerHeight:7,orient:"auto"},_("path",{d:"M0 0L6 3L0 6z",class:"ce-head"}))),b);for(let[m,T,q,C,Y]of e.links)b.append(_("path",{class:`ce-edge ce-${Y} ce-kind-${q}`,d:rt(e.boxes[m],e.boxes[T]),"marker-end":`url(#${u})`},_("title",{},C)));for(let m of e.boxes){let T=_("g",{class:`ce-box${m.start?" ce-start":""}${m.certain?"":" ce-unsure"}${m.test?" ce-test":""}${r&&!r.includes(m.id)?" ce-new":""}`,tabindex:0,role:"button","data-id":m.id,transform:`translate(${m.x} ${m.y})`,"aria-label":m.title,"aria-pressed":m.members?void 0:"false"},_("title",{},m.title),_("rect",{x:-m.width/2,y:-12,width:m.width,height:24,rx:m.members?12:3}),_("text",{"text-anchor":"middle",y:4},m.label));T.addEventListener("click",()=>i(m)),T.addEventListener("dblclick",()=>m.members||s.open(m.id)),T.addEventListener("keydown",q=>{let C=q.key;C!=="Enter"&&C!==" "||(q.preventDefault(),q.stopPropagation(),C==="Enter"&&T.classList.contains("ce-chosen")&&!m.members?s.open(m.id):i(m))}),b.append(T)}let S={x:0,y:0,k:1},W=()=>b.setAttribute("transform",`translate(${S.x} ${S.y}) scale(${S.k})`),M=m=>{if(m)S=Te(S,m,f/2,y/2);else{let T=Math.min(1,Math.max(.82,(f-16)/a)),q=e.boxes.some(C=>C.start&&C.x>0);S={k:T,x:a*T<=f?f/2:q?f-8-a*T/2:8+a*T/2,y:p*T>y?8+p*T/2:y/2}}W()};M(0);let B=e.boxes.filter(m=>m.id===n||r&&!r.includes(m.id));return B.length&&(S=at(S,B,{width:f,height:y})),W(),w.addEventListener("wheel",m=>{if(!m.ctrlKey&&!m.metaKey)return;m.preventDefault();let T=w.getBoundingClientRect();S=Te(S,m.deltaY<0?1.15:1/1.15,m.clientX-T.left,m.clientY-T.top),W()},{passive:!1}),w.addEventListener("pointerdown",m=>{if(m.target.closest(".ce-box"))return;let T={x:m.clientX-S.x,y:m.clientY-S.y};w.setPointerCapture(m.pointerId);let q=C=>{S={...S,x:C.clientX-T.x,y:C.clientY-T.y},W()};w.addEventListener("pointermove",q),w.addEventListener("pointerup",()=>w.removeEventListener("pointermove",q),{once:!0})}),{svg:w,fit:M}}function be(e,n){return e.map(([r,i,s,a])=>{if(!i&&!s&&!a?.length)return r;if(!a?.length)return o(s?"mark":"span",{class:i||void 0},r);let p=o("a",{href:"#",class:`ce-link ${i??""}`,"data-id":a[0],"data-ids":a.length>1?a.join(`
`):void 0},...typeof r=="string"?[s?o("mark",{},r):r]:be(r,n));p.addEventListener("click",f=>{f.preventDefault(),f.altKey?n.walk({symbol:a[0],others:a.slice(1),walk:"callers"}):a.length>1?Wt(p,a,n):n.open(a[0])}),p.addEventListener("mouseenter",()=>it(p,a[0],n)),p.addEventListener("focus",()=>it(p,a[0],n));for(let f of["mouseleave","blur"])p.addEventListener(f,()=>{n.peek.contains(document.activeElement)||n.hide()});return p})}var ct=e=>typeof e=="string"?e:e.map(n=>ct(n[0])).join("");async function Wt(e,n,r){let i=await Promise.all(n.slice(0,12).map(s=>r.ask("peek",{symbol:s}).catch(()=>null)));r.showPeek(e,o("div",{},o("b",{},"This name may mean:"),...i.filter(Boolean).map(s=>h(`${s.name}  ${s.place}`,"Open its definition",()=>r.open(s.target),{class:"ce-row-button"})))),r.peek.querySelector("button")?.focus()}async function it(e,n,r){if(await new Promise(s=>setTimeout(s,150)),!e.matches(":hover, :focus"))return;let i=await r.ask("peek",{symbol:n}).catch(()=>null);!i||!e.isConnected||!e.matches(":hover, :focus")||r.showPeek(e,o("div",{},o("code",{},i.signature||i.name),o("div",{},i.doc),o("small",{},[i.counts,i.place,"Alt+click: callers"].filter(Boolean).join(" \xB7 "))))}function lt(e,n,r){let i=String(e.lines.at(-1)?.[0]??1).length,s=e.lines.map(([b,w])=>o("div",{class:`ce-line${b===e.at?" ce-at":""}${b===r?" ce-site":""}`},o("span",{class:"ce-no",style:`width:${i+1}ch`},String(b)),o("span",{class:"ce-text"},...be(w,n)))),a=(b,w)=>b?[h(w,"The source is shown in parts",()=>n.open(e.row.target,{first:b,keep:!1}))]:[],p=h("Copy","Copy this code",()=>n.copy(e.lines.map(([,b])=>ct(b)).join(`
`))),f=e.crumbs.flatMap(([b,w]=["",""],S)=>[S?" \u203A ":"",h(w,b,()=>n.open(b),{class:"ce-crumb-button"})]),y=e.edit.href?o("a",{class:"ce-edit",title:"Open the file in the editor",...e.edit},e.row.place):o("span",{class:"ce-edit"},e.row.place),u=e.row.kind==="text"?[]:[h("Callers","Draw what calls it (Alt+click a name)",()=>n.walk({symbol:e.row.target,walk:"callers"}))];return[o("div",{class:"ce-bar"},h("\u2190","Back (Alt+Left)",()=>n.step(-1),{class:"ce-back","aria-label":"Back"}),h("\u2192","Forward (Alt+Right)",()=>n.step(1),{"aria-label":"Forward",disabled:!n.ahead()}),o("nav",{class:"ce-crumb","aria-label":"Where this source is"},...f),y,...u,p,h("\xD7","Close the source (Escape)",()=>n.close(),{"aria-label":"Close the source"})),e.note&&o("p",{class:"ce-dim"},e.note),...a(e.before,"Lines before"),o("pre",{class:"ce-source codeexplore",tabindex:0,role:"region","aria-label":`Source of ${e.row.name}`},...s),...a(e.after,`Lines after, of ${e.of}`)].filter(Boolean)}var qt=["bm25","embedding","graph"],Pt=e=>qt.find(n=>e===n||e.endsWith(`-${n}`))??"signal";function dt(e,n){let r=h("","Open its source",()=>n.open(e.target,{site:e.site}),{class:"ce-hit-name","data-target":e.target}),i=Se(e);r.append(o("small",{},e.name.slice(0,i)),o("b",{},e.name.slice(i)));let s=(e.bars??[]).map(([f,y])=>o("i",{class:`ce-share ce-of-${Pt(f)}`,style:`width:${(y*100).toFixed(1)}%`,title:f})),a=o("div",{class:"ce-reason"}),p=e.bars&&h("why","Show how the score adds up",async()=>{let f=p.getAttribute("aria-expanded")==="true";if(p.setAttribute("aria-expanded",String(!f)),n.whys[f?"delete":"add"](e.target),f)return a.replaceChildren();let y=await n.tried(n.ask("why",{rank:e.rank}));y&&a.replaceChildren(o("div",{},"The largest part of the score is ",o("b",{},y.largest)),o("small",{},y.note),o("code",{class:"ce-sum"},y.sum),F(y.html))},{class:"ce-why","aria-expanded":"false","aria-label":`Why hit ${e.rank}`});return p&&(n.options.explain||n.whys.has(e.target))&&p.click(),o("li",{class:"ce-hit"},o("div",{class:"ce-hit-head"},o("span",{class:"ce-rank"},`${e.rank}`),o("div",{},r," ",o("small",{},`${e.kind} ${e.place}`)," ",e.role&&o("em",{},e.role),Nt(e))),e.signature&&o("code",{class:"ce-signature"},e.signature),e.doc&&o("div",{class:"ce-doc"},e.doc),...(e.lines??[]).map(([f,y])=>o("code",{class:"ce-signature"},`${f}  `,...be(y,n))),o("div",{class:"ce-hit-why"},e.bars&&o("span",{class:"ce-bars","aria-hidden":"true"},...s),o("small",{class:"ce-sentence"},e.why),p||null),a)}var Nt=e=>e.was===void 0||e.was===e.rank?null:o("small",{class:"ce-moved"},e.was?`${e.was>e.rank?"\u25B2":"\u25BC"} was ${e.was}`:"new");function pt(e,n,r){let i=a=>e.filter(a).length,s=[[i(a=>!a.was),"new"],[i(a=>a.was>a.rank),"moved up"],[i(a=>a.was&&a.was<a.rank),"moved down"],[n.length,"gone"]].flatMap(([a,p])=>a?[`${a} ${p}`]:[]);return o("div",{class:"ce-row ce-changes"},`Other than when you asked: ${s.join(", ")||"nothing; they are the same, in the same order"}${n.length?":":"."}`,...n.map(a=>h(`${a.name.slice(Se(a)).slice(-40)} (was ${a.rank})`,a.name,()=>r.open(a.target))))}function ht(e,n){let r=e.verdict&&o("p",{class:`ce-verdict ce-${e.verdict.kind}`},o("b",{},{found:"found",none:"none",possible:"may be",unknown:"unknown"}[e.verdict.kind]??"")," ",e.verdict.text);return[e.words&&o("p",{class:e.confidence==="none"?"ce-verdict ce-none":"ce-verdict"},e.words),r,...(e.notices??[]).map(i=>o("p",{class:"ce-dim"},i)),e.steps?.length?o("div",{class:"ce-row"},...e.steps.map(i=>n.stepButton(i))):null].filter(Boolean)}var Ae=class extends Error{constructor(n){super(n.error),this.steps=n.steps??[]}};function ut(e,n,r=()=>{}){let i=new Map,s=Math.random().toString(36).slice(2),a=0,p=!1,f=(u,b)=>{if(u?.event)return r(u);let w=i.get(u?.id);w&&(i.delete(u.id),p&&r({event:"slow",is:p=!1}),u.ok?w.ok({...u,buffers:b}):w.no(new Ae(u)))};e.on("msg:custom",f),n?.addEventListener("abort",()=>e.off("msg:custom",f));let y=6e4;return(u,b={},w=y)=>new Promise((S,W)=>{let M=`${s}-${++a}`;i.set(M,{ok:S,no:W});try{e.send({id:M,kind:u,args:b})}catch{return i.delete(M),W(new Error("The kernel was restarted or has ended. Run the cell again."))}w===y&&u!=="fresh"&&setTimeout(()=>i.has(M)&&r({event:"slow",is:p=!0}),4e3),setTimeout(()=>i.delete(M)&&W(new Error("No answer yet: the kernel is busy or gone.")),w)})}async function ft(e){let n="buffer"in e?new Uint8Array(e.buffer,e.byteOffset,e.byteLength):e,r=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(r).text()}function mt(e,n,r=10){let i=n.toLowerCase().replace(/\s+/g,"");if(!i)return[];let s=[];for(let a=0;a<e.length;a++){let p=e[a],f=Bt(p,i);f>0&&s.push([f-a/e.length-p.low.length/1e3,p])}return s.sort((a,p)=>p[0]-a[0]).slice(0,r).map(a=>a[1])}function Bt(e,n){if(e.name===n)return 1e3;if(e.name.startsWith(n))return 800;if(e.name.includes(n))return 600;if(e.low.includes(n))return 400;let r=-1,i=0;for(let s of n){let a=e.low.indexOf(s,r+1);if(a<0)return 0;r>=0&&(i+=a-r-1),r=a}return Math.max(1,200-i)}var gt=e=>e.split(`
`).filter(Boolean).map(n=>{let[r,i,s]=n.split("	"),a=r.toLowerCase();return{fqn:r,low:a,name:a.slice(Math.max(a.lastIndexOf("."),a.lastIndexOf(":"))+1),kind:i,id:s}});function xt(e){let n=/[\w.:$]+$/.exec(e);return n?[e.slice(0,n.index),n[0]]:[e,""]}async function Rt({model:e,el:n,signal:r}){let i=ut(e,r,Lt),s=new xe([...e.get("history")??[]]),a=0,p=0,f=0,y=0,u=0,b=0,w=0,S=0,W=2e3,M="",B="",m=[],T=null,q=[],C=null,Y=null,re=null,Q=null,L=o("input",{type:"text",class:"ce-ask-input",role:"combobox","aria-label":"Question or name","aria-expanded":"false","aria-autocomplete":"list","aria-controls":`ce-names-${bt()}`,autocomplete:"off",spellcheck:"false",placeholder:"a name, \u201Cwhat calls \u2026?\u201D, a description, /text or /regex/"}),G=o("ul",{class:"ce-names",role:"listbox",id:L.getAttribute("aria-controls"),"aria-label":"Names"}),O=o("textarea",{rows:8,"aria-label":"Bug report",placeholder:"an issue, an error message or a stack trace",hidden:!0}),g=o("span",{class:"ce-title"}),A=o("div",{class:"ce-status",role:"status","aria-live":"polite"}),$=o("div",{class:"ce-alert"}),P=o("div",{class:"ce-stale"}),D=o("div",{class:"ce-row ce-lanes"}),H=o("div"),ne=o("div",{class:"ce-code-box"}),me=o("div"),se=o("div",{class:"ce-view"}),pe=o("div",{class:"ce-compare"}),Z=o("div",{class:"ce-found"}),I=o("ol",{class:"ce-rows","aria-label":"Hits"}),we=o("div",{class:"ce-side"}),R=o("div",{class:"ce-open"}),K=o("div",{class:"ce-graph"}),U=o("div",{class:"ce-peek",role:"tooltip"}),Me={lab:h("Lab","Every step of the search with its numbers and controls",()=>Ct(e.get("options").view==="lab"?"ask":"lab"),{"aria-pressed":"false"})},Oe=o("div",{class:"ce-tabs",role:"group","aria-label":"Show"},h("Hits","Show the hits",()=>le("hits")),h("Source and graph","Show the source and the graph",()=>le("side"))),We=o("span",{class:"ce-row ce-heading-buttons"}),N=o("div",{class:"ce-root"},o("style",{},Ye,Xe),o("div",{class:"ce-row ce-heading"},g,We),me,o("div",{class:"ce-ask"},L,h("Ask","Ask this question (Enter)",()=>j()),h("Paste a report","Open a larger box for text of several lines, such as a stack trace",()=>Ie(),{class:"ce-paste","aria-pressed":"false"}),G),O,D,H,ne,se,o("div",{class:"ce-state"},A,$,P),Oe,o("div",{class:"ce-body"},o("div",{class:"ce-hits"},pe,Z,I),we),U);we.append(R,K),n.append(N);let k={ask:i,peek:U,known:null,options:{...e.get("options")},folds:new Set,whys:new Set,moreGraph:!1,open:ee,step:ye,close:De,walk:ae,choose:kt,tried:V,stepButton:qe,showPeek:wt,hide:()=>U.classList.remove("on"),copy:t=>{z(Qe(t)?"Copied.":"The browser refused to copy: select the text and press Ctrl+C.")},ahead:()=>s.at<s.all.length-1,graphWidth:()=>(K.clientWidth||we.clientWidth||N.clientWidth)-4,reset:()=>{let{view:t,explain:c}=k.options;k.options=Ee({view:t,explain:c}),ce({options:k.options}),j(),te()}};function z(t="",c=!1){A.textContent=t,A.classList.toggle("ce-busy",c)}function ie(t,...c){z();for(let d of[Z,I,R,K])d.classList.remove("ce-old");$.replaceChildren(o("div",{role:"alert",class:"ce-bad"},o("span",{},`\u26A0 ${t.message??t}`),...(t.steps??[]).map(qe),...c.filter(Boolean),!e.get("title")&&h("Open\u2026","Open a repository",Ce),/kernel/.test(t.message)&&h("Try again","Ask once more",()=>ge())))}async function V(t,c){try{return await t}catch(d){return ie(d,c&&!d.steps?.length?h("Try again","Try once more",c):null),null}}function qe(t){let c={ask:()=>{L.value=t.argument||L.value,j()},grep:()=>{L.value=`/${t.argument}`,j()},source:()=>ee(t.argument),refresh:()=>Le()};return c[t.kind]?h(t.label,t.does||"The next step",()=>{$.replaceChildren(),c[t.kind]()},{class:"ce-next"}):h(`Copy: ${t.label}`,"Copy this call, to run it in a cell",()=>k.copy(t.label.split(" ")[0]),{class:"ce-next"})}function ce(t){for(let[c,d]of Object.entries(t))e.set(c,d);try{e.save_changes()}catch{}}function he(t,...c){let d=x=>`${x.dataset.key??x.getAttribute("aria-label")??x.closest("label")?.firstChild?.textContent??x.textContent}`,l=t.contains(Fe())?Fe():null,E=l&&d(l);if(t.replaceChildren(...c),!l)return;let v=[...t.querySelectorAll("button, input, select, summary, [tabindex]")];(v.find(x=>d(x)===E&&!x.disabled)??v.find(x=>!x.disabled))?.focus()}function wt(t,c){U.replaceChildren(c),Object.assign(U.style,{left:"0",top:"0"}),U.classList.add("on");let d=t.getBoundingClientRect(),l=N.getBoundingClientRect(),E=d.bottom-l.top+2,v=d.top-l.top-U.offsetHeight-2;Object.assign(U.style,{left:`${Math.max(0,Math.min(d.left-l.left,l.width-U.offsetWidth-4))}px`,top:`${E+U.offsetHeight>l.height&&v>0?v:E}px`})}async function Pe(){T??=i("names").then(async t=>{m=gt(await ft(t.buffers[0]))}).catch(()=>{T=null}),await T}let J=-1,ve=0;async function Ne(){let t=L.value,c=++ve;if(m.length||await Pe(),c!==ve)return;let[d,l]=t.startsWith("/")?["",""]:xt(t),E=l.length>1||!d&&l?mt(m,l,10):[],v=q.filter(x=>x!==t&&x.toLowerCase().includes(t.toLowerCase())).slice(0,3);J=-1,G.replaceChildren(...E.map(x=>Be(()=>d.trim()?Re(d+x.fqn):(ue(),ee(x.id)),x.fqn,x.kind)),...(t?v:[]).map(x=>Be(()=>{Re(x),j()},x,"asked before"))),je(G.childElementCount>0)}function Be(t,c,d){return o("li",{role:"option",id:`ce-name-${bt()}`,"aria-selected":"false",onmousedown:l=>{l.preventDefault(),t()},onclick:()=>{}},o("span",{},c),o("small",{},d))}function Re(t){L.value=t,ue(),L.focus()}function ue(){ve++,J=-1,G.replaceChildren(),je(!1)}function je(t){L.setAttribute("aria-expanded",String(t)),L.removeAttribute("aria-activedescendant")}function vt(t){let c=[...G.children];J=Math.max(-1,Math.min(c.length-1,J+t)),c.forEach((d,l)=>d.setAttribute("aria-selected",String(l===J))),J>=0?L.setAttribute("aria-activedescendant",c[J].id):L.removeAttribute("aria-activedescendant")}async function j(){let t=++a,c=O.hidden?L.value.trim():O.value.trim();if(clearTimeout(w),ue(),k.hide(),$.replaceChildren(),P.replaceChildren(),ce({question:c}),c!==B&&le("hits"),!c)return B="",C=null,N.classList.add("ce-empty"),I.replaceChildren(),pe.replaceChildren(),ke(),z(),te(),ze();N.classList.remove("ce-empty"),z("Searching \u2026",!0);for(let l of[Z,I,K])l.classList.add("ce-old");let d=ot(c);try{let l=await(d?i("grep",d):i("search",{question:c,options:k.options}));if(t!==a)return;O.hidden&&!q.includes(c)&&q.unshift(c),C={...l,grep:!!d};let E=JSON.stringify({...k.options,view:"",explain:""});(c!==B||!re)&&(re={rows:l.rows,options:E});let v=E!==re.options&&!d?nt(re.rows,l.rows):null;if(c!==B&&(R.replaceChildren(),y=-1),B=c,z(d?`${l.said} (${l.took} ms)`:`${l.said} in ${l.took} ms`),Z.replaceChildren(...ht(l,k),...v?[pt(l.rows,v,k)]:[],...l.reading?[o("div",{class:"ce-reading"},F(l.reading))]:[]),I.replaceChildren(...l.rows.map(x=>dt(x,k))),ne.childElementCount&&de(),!l.rows.length&&!l.verdict&&I.append(o("li",{},d?"No file contains it.":"No hits.")),!l.rows.length&&d&&!d.regex&&/[\\^$.*+?()[\]{}|]/.test(d.pattern)){let x=()=>{L.value=`/${d.pattern}/`,j()};I.append(o("li",{},h("Search it as a regular expression","Find what the pattern matches",x)))}for(let x of[Z,I])x.classList.remove("ce-old");yt(l),te(),d||!l.start?ke():(Q={symbol:l.start,walk:l.walk,depth:l.depth,target:l.target},ae(Q)),_e(2e3)}catch(l){if(t!==a)return;C=null;for(let v of[Z,I])v.replaceChildren();ke(),te();let E=()=>{L.value=`/${d?.pattern}`,j()};ie(l,d?.regex&&h("Search for the text as it is","Without a regular expression",E),Object.keys(k.options).some(v=>v!=="view"&&v!=="explain")&&h("Reset to automatic","Undo your choices and ask again",()=>k.reset()))}}function yt(t){if(!t.choices?.length)return;let c=t.choices.map(l=>l[0]),d=l=>ae({symbol:l[0],others:l.slice(1),walk:t.walk,depth:t.depth});Z.append(o("div",{class:"ce-row ce-choices"},"The name may mean:",...t.choices.slice(0,8).map(([l,E,v])=>h(`${E} (${v})`,"Show its graph",()=>d([l]))),h(`All ${c.length}`,"Show the graph around all of them",()=>d(c))))}function kt(t,c=0){k.options=Ee({...k.options,...t}),ce({options:k.options}),clearTimeout(w),(L.value.trim()||O.value.trim())&&(w=setTimeout(j,c))}function ze(){Z.replaceChildren(o("p",{},e.get("title")?`Type a name or a question${k.known.starters.length?", or start with one of these:":"."}`:"Open a repository to ask about it."),o("div",{class:"ce-row ce-starters"},...k.known.starters.map(t=>h(t,"Ask this question",()=>{L.value=t,j()}))),F(k.known.summary)),Z.classList.remove("ce-old")}async function ee(t,{keep:c=!0,first:d=0,site:l=0}={}){let E=++p;k.hide(),$.replaceChildren(),R.classList.add("ce-old");let v=A.textContent??"",x="Opening the source \u2026";A.classList.contains("ce-busy")||z(x,!0);let X=await V(i("source",{target:t,first:d}),()=>ee(t,{keep:c,first:d,site:l}));if(A.textContent===x&&E===p&&z(v===x?"":v),!X||E!==p)return R.classList.remove("ce-old");c&&s.go(t),c&&y<0&&(y=s.at-(R.childElementCount?1:0)),ce({history:s.all}),M=X.row.target,R.classList.remove("ce-old"),R.replaceChildren(...lt(X,k,l)),le("side");for(let Ve of I.querySelectorAll(".ce-hit-name"))Ve.closest("li")?.classList.toggle("ce-current",Ve.dataset.target===t);let fe=R.querySelector(".ce-site")??R.querySelector(".ce-at"),oe=R.querySelector(".ce-source");fe&&fe.offsetTop>oe.clientHeight&&(oe.scrollTop=fe.offsetTop-40),d||oe.focus({preventScroll:!0}),ne.childElementCount&&de(),X.row.kind!=="text"&&X.row.kind!=="module"&&ae({symbol:X.row.target,walk:C?.walk&&C.walk!=="path"?C.walk:"callers"},!1)}function ye(t){let d=t<0&&R.childElementCount&&s.at===y?"":s.step(t);d?ee(d,{keep:!1}):t<0&&De()}function De(){R.replaceChildren(),M="",ce({place:""}),le("hits"),(I.querySelector(".ce-current .ce-hit-name")??I.querySelector(".ce-hit-name")??L).focus(),Q&&Q.symbol!==Y?.symbol&&ae(Q,!1)}function le(t){N.classList.toggle("ce-show-side",t==="side"),[...Oe.children].forEach((c,d)=>c.setAttribute("aria-pressed",String(t==="side"==(d===1))))}function ke(){f++,Y=Q=null,K.replaceChildren(),K.classList.remove("ce-old")}async function ae(t,c=!0){let d=++f,{grown:l,before:E,...v}=t,{trail:x,chosen:X,...fe}=v;K.classList.add("ce-old"),b=k.graphWidth(),Y=v;try{let oe=await i("graph",{...fe,width:b});if(d!==f)return;he(K,...st(v,oe,k,E)),l&&z(l(oe.list.length)),E&&K.querySelector(".ce-picture")?.scrollIntoView({block:"nearest"}),ne.childElementCount&&de()}catch(oe){if(d!==f)return;K.replaceChildren(),Y=null,c&&ie(oe,h("Try again","Draw it once more",()=>ae(t)))}K.classList.remove("ce-old")}function Ie(){O.hidden=!O.hidden,L.disabled=!O.hidden,N.querySelector(".ce-paste")?.setAttribute("aria-pressed",String(!O.hidden)),O.hidden?L.focus():O.focus()}function Ct(t){k.options={...k.options,view:t},ce({options:k.options}),te()}function $t(t){return C?C.grep?"A text search uses none of these. Case counts, but not in /regex/i.":t?"Your choice, for every question.":C.lanes&&`Chosen for this question: ${C.lanes}.`:""}async function te(){let t=k.options.view==="lab";Me.lab.setAttribute("aria-pressed",String(t)),N.classList.toggle("ce-in-lab",t);let c=["lanes","weights","relation","direction","depth"].some(x=>k.options[x]);if(he(D,...Je(C?.health??null,k,!!C?.grep),o("span",{class:"ce-lane ce-of-signal",title:"Names, files and how well the text fits, as \u201Cwhy\u201D lists them"},"other evidence"),o("small",{class:"ce-chosen-by"},$t(c)),...c&&!t?[h("Reset to automatic","Undo your choices",()=>k.reset())]:[]),!t){H.replaceChildren(),pe.replaceChildren();return}if(he(H,et(k)),!C||C.grep)return pe.replaceChildren();let d=await V(i("lab"),te);if(!d)return;let l=o("div"),E=k.comparing??"",v=async x=>{if(k.comparing=x,!x)return l.replaceChildren();let X=await V(i("compare",{other:x}),()=>v(x));X&&l.replaceChildren(F(X.html))};he(pe,tt(d,k),o("div",{class:"ce-row"},o("label",{},"Compare with ",o("select",{onchange:x=>v(x.target.value)},o("option",{value:""},"nothing"),...k.known.others.map(x=>o("option",{value:x,selected:x===E},x)))),h("Keep to compare","Compare later answers with this one",async()=>{await V(i("keep"))&&z("Kept: choose \u201Cthe answer you kept\u201D.")})),l),E&&v(E)}let Fe=()=>N.getRootNode().activeElement??null;async function de(){let t=await V(i("code"),de);t&&ne.replaceChildren(o("pre",{tabindex:0,role:"region","aria-label":"Python code"},t.code),h("Copy","Copy this code into a cell",()=>k.copy(t.code)))}function He(t,c){t.childElementCount?t.replaceChildren():c()}function Ce(){let t=o("input",{type:"text",class:"ce-where",placeholder:"a folder, an installed package, or a git URL","aria-label":"Repository"}),c=o("progress",{max:1,value:0,"aria-label":"Progress"}),d=o("small",{class:"ce-stage"}),l=h("Cancel","Stop loading; the open repository stays open",()=>i("cancel"),{disabled:!0}),E=async()=>{$.replaceChildren(),l.disabled=!1,d.textContent="starting";try{await i("open",{where:t.value},36e5),me.replaceChildren(),m=[],T=null,s.all=[],s.at=-1,R.replaceChildren(),await ge()}catch(v){l.disabled=!0,d.textContent="",/cancelled/.test(v.message)?z(v.message):ie(v)}};t.addEventListener("keydown",v=>{v.key==="Enter"&&(v.stopPropagation(),E())}),me.replaceChildren(o("div",{class:"ce-row ce-load"},t,h("Load","Load this repository",E),l,c,d)),t.focus()}function $e(){let{known:t}=k;g.replaceChildren("Explore ",o("b",{},e.get("title")||"nothing"),o("small",{},t.size?` \xB7 ${t.size}`:" \xB7 no repository is open")),he(We,...t.pins?[h("Remove pins","Remove what is saved under the explorer",async()=>{await V(i("unpin"))&&(t.pins=!1,$e(),z("Pins removed."))})]:[],Me.lab,h("Open\u2026","Open another repository",()=>He(me,Ce)),...t.views.map(c=>h(c.title,c.tip,()=>Ke(c.key))),h("Python code","Show Python code that computes this view again",()=>He(ne,de)),h("Pin","Save this answer under the explorer, as part of the notebook",async()=>{let c=await V(i("pin"));if(!c)return;t.pins=!0,$e();for(let l=0;l<40&&!document.getElementsByClassName(c.place).length;l++)await new Promise(E=>setTimeout(E,100));let d=document.getElementsByClassName(c.place)[0];d?.scrollIntoView({block:"nearest"}),d?z(`Pinned below. Save the notebook to keep it.${c.lost&&` A further run of the cell removes it: ${c.lost}.`}`):ie({message:"This page was loaded after the cell ran, so it can't show the pin. Run the cell again: it has the pin."})}))}async function Ke(t){if(se.dataset.key===t)return se.dataset.key="",se.replaceChildren();z("Working \u2026",!0);let c=await V(i("view",{key:t},6e5),()=>Ke(t));z(),c&&(se.dataset.key=c.html?t:"",se.replaceChildren(F(c.html)))}function _e(t){clearTimeout(S),W=t,S=setTimeout(async()=>{if(!C||C.grep)return;let c=performance.now(),d=a,l=await i("fresh").catch(()=>null);if(!(!l||d!==a)){if(l.again)return j();P.replaceChildren(...l.text?[o("span",{},l.text),l.step?h(l.step,"Load the changed files and ask again",()=>Le()):""]:[]),_e(/graph is ready/.test(l.text)?500:Math.min(Math.max(2*W,20*(performance.now()-c)),3e4))}},t)}async function Le(){z("Loading the changed files \u2026",!0),await V(i("refresh",{},36e5),Le)&&(m=[],T=null,await j(),s.now&&R.childElementCount&&ee(s.now,{keep:!1}))}function Lt(t){let c=N.querySelector(".ce-stage"),d=N.querySelector("progress");t.event==="progress"&&c&&d&&(c.textContent=`${t.stage}${t.total>1?` ${t.done} of ${t.total}`:""}`,d.value=t.total?t.done/t.total:0),t.event==="slow"&&t.is?P.replaceChildren("The kernel has not answered yet: it is busy, or it was restarted. After a restart, run the cell again."):t.event==="slow"&&P.replaceChildren(),t.event==="code"&&ne.childElementCount&&de(),t.event==="failed"&&ie({message:t.error,steps:t.steps})}L.addEventListener("focus",Pe,{once:!0}),L.addEventListener("input",t=>{t.isComposing||Ne()}),L.addEventListener("compositionend",()=>Ne()),L.addEventListener("blur",()=>setTimeout(ue,150)),N.addEventListener("click",t=>{let c=t.target,d=c.closest("a.ce-place"),l=c.closest("button.ce-copy");if(l){let v=l.parentElement?.querySelector("pre")?.cloneNode(!0);for(let x of v?.querySelectorAll(".ce-n")??[])x.remove();k.copy(l.dataset.copy??v?.textContent??"")}if(!d)return;t.preventDefault();let E=/^(.*):(\d+)/s.exec(d.textContent??"");E&&ee(`${d.getAttribute("title")?.match(/^(\S+):\d+/)?.[1]??E[1]}:${E[2]}`)}),N.addEventListener("keydown",t=>{if(t.isComposing)return;let c=t.target,d=[...I.querySelectorAll(".ce-hit-name")],l=d.indexOf(c),E=G.childElementCount,v=t.key==="ArrowDown"?1:t.key==="ArrowUp"?-1:0;if(t.altKey&&(t.key==="ArrowLeft"||t.key==="ArrowRight"))ye(t.key==="ArrowLeft"?-1:1);else if(t.key==="Enter"&&c===L)J>=0?G.children[J].dispatchEvent(new MouseEvent("mousedown",{cancelable:!0})):j();else if(t.key==="Enter"&&c===O&&(t.ctrlKey||t.metaKey))j();else if(v&&c===L&&E)vt(v);else if(v&&(c===L||l>=0)){let x=l+v;(x<0?L:d[Math.min(x,d.length-1)])?.focus()}else if(t.key==="Escape")U.classList.contains("on")?k.hide():E?ue():R.contains(c)&&c!==N?ye(-1):c!==L?L.focus():(L.value="",j());else{!t.ctrlKey&&!t.metaKey&&t.stopPropagation();return}t.preventDefault(),t.stopPropagation()}),globalThis.addEventListener("keydown",t=>{let c=t.composedPath()[0];c instanceof Element&&N.contains(c)&&c.toggleAttribute("data-lm-suppress-shortcuts",!(t.ctrlKey||t.metaKey))},{capture:!0,signal:r});let Ge=new ResizeObserver(([t])=>{N.classList.toggle("ce-narrow",t.contentRect.width<720),N.classList.toggle("ce-slim",t.contentRect.width<520),clearTimeout(u),u=setTimeout(()=>{Y&&K.clientWidth&&Math.abs(k.graphWidth()-b)>30&&ae(Y,!1)},300)});Ge.observe(N),r?.addEventListener("abort",()=>{Ge.disconnect();for(let t of[S,u,w])clearTimeout(t)}),e.on("change:place",()=>{let t=e.get("place");t&&t!==s.now&&t!==M&&!R.classList.contains("ce-old")&&ee(t)}),e.on("change:question",()=>{let t=e.get("question");t!==(O.hidden?L.value.trim():O.value.trim())&&(Ue(t),j())}),e.on("change:options",()=>{e.get("options").view!==k.options.view&&(k.options={...e.get("options")},te())});function Ue(t){t.includes(`
`)===O.hidden&&Ie(),O.hidden?L.value=t:O.value=t}async function ge(){$.replaceChildren();let t=await V(i("start",{},6e5),ge);t&&(k.known=t,$e(),te(),le("hits"),e.get("title")||Ce(),L.value||!O.hidden?await j():(N.classList.add("ce-empty"),ze()),e.get("place")&&ee(e.get("place"),{keep:!s.all.length}))}Ue(e.get("question")??""),await ge()}var jt=0,bt=()=>++jt,uo={render:Rt};export{uo as default};
