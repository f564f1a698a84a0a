var Be=`/* Colours for the theme at hand: each is mixed with the colour that the host gives to text, so that it is dark on light
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
`;var Ne=`.ce-root {
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
  flex-flow: row wrap;
  gap: 0 8px;
  align-items: baseline;
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
.ce-root.ce-root [data-lm-suppress-shortcuts] {
  outline-offset: 1px;
}
.jp-OutputArea-child:has(.ce-still):has(+ .jp-OutputArea-child .ce-root) {
  display: none;
} /* the still picture, while the widget lives */
`;function o(e,n={},...a){let r=document.createElement(e);for(let[s,i]of Object.entries(n))i==null||i===!1||(s.startsWith("on")?r.addEventListener(s.slice(2),i):s==="value"||s==="checked"?r[s]=i:r.setAttribute(s,i===!0?"":String(i)));return r.append(...a.filter(s=>s!=null&&s!==!1)),r}function D(e,n={},...a){let r=document.createElementNS("http://www.w3.org/2000/svg",e);for(let[s,i]of Object.entries(n))s.startsWith("on")?r.addEventListener(s.slice(2),i):i!==void 0&&r.setAttribute(s,String(i));return r.append(...a),r}var ut=new Set("A B BR BUTTON CAPTION CODE DETAILS DIV EM I IMG LI MARK OL P PRE SMALL SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL H3 H4".split(" ")),ht=/^(class|style|title|role|alt|colspan|scope|open|tabindex|aria-[a-z]+|data-copy)$/;function N(e){let n=document.createDocumentFragment(),a=(r,s)=>{for(let i of r.childNodes){if(i.nodeType===3&&s.appendChild(document.createTextNode(i.textContent??"")),!(i instanceof Element)||!ut.has(i.tagName))continue;let d=document.createElement(i.tagName);for(let{name:b,value:u}of i.attributes)ht.test(b)&&!/url\(/i.test(u)&&d.setAttribute(b,u);let f=i.getAttribute("src")??"";i.tagName==="IMG"&&f.startsWith("data:image/svg+xml")&&d.setAttribute("src",f),i.matches("a.ce-place")&&d.setAttribute("href","#"),a(i,d),s.appendChild(d)}};return a(new DOMParser().parseFromString(e,"text/html").body,n),n}var g=(e,n,a,r={})=>o("button",{type:"button",title:n,onclick:a,...r},e);function Re(e){let n=o("textarea",{value:e});document.body.append(n),n.select(),document.execCommand("copy"),n.remove()}function De(e,n){let{options:a,known:r}=n;return r.lanes.map(([s,i],d)=>{let[,f,b,u,w]=e?.[d]??[s,!0,1,"",!1],E=a.lanes?a.lanes.includes(s):f,A=a.weights?.[s]??b,m=o("input",{type:"checkbox",role:"switch",checked:E,"aria-label":i,onchange:$=>{let x=a.lanes??(e??[]).filter(q=>q[1]).map(q=>q[0]);n.choose({lanes:$.target.checked?[...x,s]:x.filter(q=>q!==s)})}}),k=o("small",{},`\xD7${Number(A).toFixed(1)}`),O=o("input",{type:"range",min:0,max:3,step:.1,value:A,disabled:!E,"aria-label":`Weight of ${i}`,title:`How much it counts (${s})`,oninput:$=>{k.textContent=`\xD7${Number($.target.value).toFixed(1)}`,n.choose({weights:{...a.weights,[s]:Number($.target.value)}},120)}});return o("span",{class:`ce-lane ce-of-${s}`},o("label",{},m," ",i),O,k,o("small",{class:w?"ce-bad ce-health":"ce-health"},u))})}function je(e){let{options:n,known:a}=e,r=(b,u,w)=>o("label",{},b," ",o("input",{value:n[u]??"",...w,onchange:E=>e.choose({[u]:w.type==="number"?Number(E.target.value)||null:E.target.value})})),s=(b,u,w)=>o("label",{},o("input",{type:"checkbox",checked:n[u]??w,onchange:E=>e.choose({[u]:E.target.checked})}),` ${b}`),i=(b,u,w)=>o("label",{},b," ",o("select",{onchange:E=>e.choose({[u]:E.target.value})},...w.map(([E,A])=>o("option",{value:A,selected:String(n[u]??"")===String(A)},E)))),d=["automatic",""],f=b=>b.map(u=>[u,u]);return o("div",{class:"ce-row ce-options"},i("Relation","relation",[d,...f(a.relations)]),i("Direction","direction",[d,["towards it","in"],["away from it","out"],["both","both"]]),i("Depth","depth",[d,...f([1,2,3,4,5,6,7,8,9,10])]),i("Fusion","fusion",[["rrf (usual)",""],...f(a.fusions.slice(1))]),r("rrf_k","rrf_k",{type:"number",min:1,max:1e3,placeholder:a.defaults.rrf_k}),r("Hits","top_k",{type:"number",min:1,max:200,placeholder:a.defaults.top_k}),r("File paths","paths",{placeholder:"src/**, *_api.py"}),i("Language","language",[["all",""],...a.languages]),s("one per file","one_per_file",!1),s("include tests","tests",!0),g("Reset to automatic","Undo your choices: the program chooses for each question again",()=>e.reset()))}var ze={question:["Question","What is a word?"],reading:["Query plan","What is a query plan?"],lanes:["Lanes","What is a lane?"],fusion:["Fusion","What is fusion?"],signals:["Signals","What is a signal?"],ranking:["Ranking","What is the ranking?"]};function Fe(e,n){return o("ol",{class:"ce-lab","aria-label":"Steps of the search"},...e.steps.map(([a,r,s],i)=>o("li",{class:"ce-step"},o("b",{},`${i+1} ${ze[a][0]}`)," ",N(r),o("details",{open:n.folds.has(a)},o("summary",{onclick:()=>n.folds.has(a)?n.folds.delete(a):n.folds.add(a)},ze[a][1]),N(s)))))}var ie=class{constructor(n=[]){this.all=n,this.at=n.length-1}get now(){return this.all[this.at]??""}go(n){n!==this.now&&(this.all=[...this.all.slice(0,this.at+1),n].slice(-50),this.at=this.all.length-1)}step(n){let a=this.all[this.at+n];return a===void 0?"":(this.at+=n,a)}};function Ie(e){if(!e.startsWith("/")||e.length<2)return null;let n=/^\/(.+)\/(i?)$/.exec(e);return n?{pattern:n[1],regex:!0,ignore_case:n[2]==="i"}:{pattern:e.slice(1),regex:!1,ignore_case:!1}}function Ke(e){return Object.fromEntries(Object.entries(e).filter(([,n])=>n!=null&&n!==""))}function fe(e,n,a,r){let s=Math.min(4,Math.max(.2,e.k*n)),i=s/e.k;return{k:s,x:a-(a-e.x)*i,y:r-(r-e.y)*i}}function _e(e,n){if(e===n)return`M${e.x+e.width/2} ${e.y-4}c26 -16 26 24 0 8`;if(Math.abs(e.x-n.x)<(e.width+n.width)/2){let d=Math.max(e.x+e.width/2,n.x+n.width/2)+18;return`M${e.x+e.width/2} ${e.y}C${d} ${e.y} ${d} ${n.y} ${n.x+n.width/2+5} ${n.y}`}let a=e.x<n.x?1:-1,r=e.x+a*e.width/2,s=n.x-a*(n.width/2+5),i=(r+s)/2;return`M${r} ${e.y}C${i} ${e.y} ${i} ${n.y} ${s} ${n.y}`}function Ge(e,n,a){let r=p=>a.walk({...e,...p}),s=o("div",{class:"ce-details"}),i=async p=>{for(let L of b.querySelectorAll(".ce-box"))L.classList.toggle("ce-chosen",L.getAttribute("data-id")===p);d.value=p,f.disabled=!1;let S=await a.tried(a.ask("details",{symbol:p}));S&&s.replaceChildren(N(S.html),g("Open source","Open its source in place",()=>a.open(p)))},d=o("select",{size:Math.max(2,Math.min(8,n.list.length)),class:"ce-list","aria-label":"Symbols in the graph"},...n.list.map(([p,S,L,M])=>o("option",{value:p},`${S<0?"possible":S||"start"}  ${L}  ${M}`)));d.addEventListener("change",()=>i(d.value)),d.addEventListener("dblclick",()=>a.open(d.value));let f=g("Start here","Show the graph around the chosen symbol",()=>r({symbol:d.value,others:[],opened:[],walk:e.walk==="path"?"callers":e.walk,trail:[...e.trail??[],e.symbol]}));f.disabled=!0;let{svg:b,fit:u}=ft(n,p=>{p.members?r({opened:[...e.opened??[],p.id]}):i(p.id)},a),w=[...e.target?["path"]:[],...a.known.walks],E=(p,S)=>p.map(L=>o("option",{value:L,selected:L===S},L)),A=(p,S,L,M)=>o("label",{},p," ",o("select",{onchange:j=>M(j.target.value)},...E(S,L))),m=(p,S,L,M)=>o("label",{},p," ",o("input",{type:"number",value:S,...L,onchange:j=>M(Number(j.target.value))})),k=e.kinds??null,O=o("details",{class:"ce-more",open:a.moreGraph},o("summary",{onclick:()=>{a.moreGraph=!a.moreGraph}},"Graph options"),o("div",{class:"ce-row"},m("Minimum confidence",e.confidence??a.known.defaults.confidence,{min:0,max:1,step:.05},p=>r({confidence:p})),o("label",{},o("input",{type:"checkbox",checked:e.tests??!0,onchange:p=>r({tests:p.target.checked})})," include tests"),A("Group by",a.known.groupings,e.by??a.known.groupings[0],p=>r({by:p,opened:[]})),...a.known.edges.map(p=>o("label",{},o("input",{type:"checkbox","data-kind":p,checked:k?k.includes(p):!1,onchange:S=>{let L=[...k??[]].filter(M=>M!==p);r({kinds:S.target.checked?[...L,p]:L.length?L:null})}}),` ${p}`)))),$=o("input",{type:"search",placeholder:"Find in graph","aria-label":"Find in graph",oninput:p=>{let S=p.target.value.toLowerCase();for(let L of d.options)L.hidden=!!S&&!L.text.toLowerCase().includes(S);for(let L of b.querySelectorAll(".ce-box"))L.classList.toggle("ce-match",!!S&&(L.querySelector("title")?.textContent??"").toLowerCase().includes(S))},onkeydown:p=>{if(p.key!=="Enter")return;let S=[...d.options].filter(j=>!j.hidden),L=S.findIndex(j=>j.selected),M=S[(L+1)%S.length];M&&i(M.value)}}),x=e.trail??[],q=o("div",{class:"ce-row"},g("\u2212","Zoom out",()=>u(.8),{"aria-label":"Zoom out"}),g("+","Zoom in",()=>u(1.25),{"aria-label":"Zoom in"}),g("Fit","Show all of it",()=>u(0)),e.opened?.length?g("Close groups","Show the groups of the first view again",()=>r({opened:[]})):null,n.list.length>12?$:null);return[o("div",{class:"ce-row"},A("Show",w,e.walk,p=>r({walk:p,kinds:null,opened:[]})),m("Steps",e.depth??1,{min:1,max:10,disabled:!a.known.deep.includes(e.walk)},p=>r({depth:Math.max(1,Math.min(10,p)),opened:[]})),x.length?g("Back to before","The start before",()=>r({symbol:x.at(-1),trail:x.slice(0,-1),opened:[]})):null,O),o("div",{class:"ce-said"},N(n.said)),q,o("div",{class:"ce-picture"},b),o("div",{class:"ce-row ce-reached"},d,f),s]}function ft(e,n,a){let[r,s]=e.size,i=Math.max(a.graphWidth(),240),d=Math.min(520,Math.max(80,s+40)),f=`ce-arrow-${Math.random().toString(36).slice(2)}`,b=D("g"),u=D("svg",{class:"ce-svg",width:i,height:d,role:"group","aria-label":e.title});u.append(D("defs",{},D("marker",{id:f,viewBox:"0 0 6 6",refX:5,refY:3,markerWidth:7,markerHeight:7,orient:"auto"},D("path",{d:"M0 0L6 3L0 6z",class:"ce-head"}))),b);for(let[m,k,O,$,x]of e.links)b.append(D("path",{class:`ce-edge ce-${x} ce-kind-${O}`,d:_e(e.boxes[m],e.boxes[k]),"marker-end":`url(#${f})`},D("title",{},$)));for(let m of e.boxes){let k=D("g",{class:`ce-box${m.start?" ce-start":""}${m.certain?"":" ce-unsure"}${m.test?" ce-test":""}`,tabindex:0,role:"button","data-id":m.id,transform:`translate(${m.x} ${m.y})`,"aria-label":m.title},D("title",{},m.title),D("rect",{x:-m.width/2,y:-12,width:m.width,height:24,rx:m.members?12:3}),D("text",{"text-anchor":"middle",y:4},m.label));k.addEventListener("click",()=>n(m)),k.addEventListener("dblclick",()=>m.members||a.open(m.id)),k.addEventListener("keydown",O=>{let $=O.key;$!=="Enter"&&$!==" "||(O.preventDefault(),O.stopPropagation(),$==="Enter"&&k.classList.contains("ce-chosen")&&!m.members?a.open(m.id):n(m))}),b.append(k)}let w={x:0,y:0,k:1},E=()=>b.setAttribute("transform",`translate(${w.x} ${w.y}) scale(${w.k})`),A=m=>{if(m)w=fe(w,m,i/2,d/2);else{let k=Math.min(1,Math.max(.92,(i-16)/r));w={k,x:r*k>i?8+r*k/2:i/2,y:s*k>d?8+s*k/2:d/2}}E()};return A(0),u.addEventListener("wheel",m=>{if(!m.ctrlKey&&!m.metaKey)return;m.preventDefault();let k=u.getBoundingClientRect();w=fe(w,m.deltaY<0?1.15:1/1.15,m.clientX-k.left,m.clientY-k.top),E()},{passive:!1}),u.addEventListener("pointerdown",m=>{if(m.target.closest(".ce-box"))return;let k={x:m.clientX-w.x,y:m.clientY-w.y};u.setPointerCapture(m.pointerId);let O=$=>{w={...w,x:$.clientX-k.x,y:$.clientY-k.y},E()};u.addEventListener("pointermove",O),u.addEventListener("pointerup",()=>u.removeEventListener("pointermove",O),{once:!0})}),{svg:u,fit:A}}function me(e,n){return e.map(([a,r,s,i])=>{if(!r&&!s&&!i?.length)return a;if(!i?.length)return o(s?"mark":"span",{class:r||void 0},a);let d=o("a",{href:"#",class:`ce-link ${r??""}`,"data-id":i[0],"data-ids":i.length>1?i.join(`
`):void 0},s?o("mark",{},a):a);d.addEventListener("click",f=>{f.preventDefault(),f.altKey?n.walk({symbol:i[0],walk:"callers"}):i.length>1?mt(d,i,n):n.open(i[0])}),d.addEventListener("mouseenter",()=>He(d,i[0],n)),d.addEventListener("focus",()=>He(d,i[0],n));for(let f of["mouseleave","blur"])d.addEventListener(f,()=>{n.peek.contains(document.activeElement)||n.hide()});return d})}async function mt(e,n,a){let r=await Promise.all(n.slice(0,12).map(s=>a.ask("peek",{symbol:s}).catch(()=>null)));a.showPeek(e,o("div",{},o("b",{},"This name may mean:"),...r.filter(Boolean).map(s=>g(`${s.name}  ${s.place}`,"Open its definition",()=>a.open(s.target),{class:"ce-row-button"})))),a.peek.querySelector("button")?.focus()}async function He(e,n,a){if(await new Promise(s=>setTimeout(s,150)),!e.matches(":hover, :focus"))return;let r=await a.ask("peek",{symbol:n}).catch(()=>null);!r||!e.isConnected||!e.matches(":hover, :focus")||a.showPeek(e,o("div",{},o("code",{},r.signature||r.name),o("div",{},r.doc),o("small",{},[r.counts,r.place].filter(Boolean).join(" \xB7 "))))}function Ue(e,n){let a=String(e.lines.at(-1)?.[0]??1).length,r=e.lines.map(([u,w])=>o("div",{class:u===e.at?"ce-line ce-at":"ce-line"},o("span",{class:"ce-no",style:`width:${a+1}ch`},String(u)),o("span",{class:"ce-text"},...me(w,n)))),s=(u,w)=>u?[g(w,"The source is shown in parts",()=>n.open(e.row.target,{first:u,keep:!1}))]:[],i=g("Copy","Copy this code",()=>n.copy(e.lines.map(([,u])=>u.map(w=>w[0]).join("")).join(`
`))),d=e.crumbs.flatMap(([u,w]=["",""],E)=>[E?" \u203A ":"",g(w,u,()=>n.open(u),{class:"ce-crumb-button"})]),f=e.edit.href?o("a",{class:"ce-edit",title:"Open the file in the editor",...e.edit},e.row.place):o("span",{class:"ce-edit"},e.row.place),b=e.row.kind==="text"?[]:[g("Callers","Draw what calls it (Alt+click a name)",()=>n.walk({symbol:e.row.target,walk:"callers"}))];return[o("div",{class:"ce-bar"},g("\u2190","Back (Alt+Left)",()=>n.step(-1),{class:"ce-back","aria-label":"Back"}),g("\u2192","Forward (Alt+Right)",()=>n.step(1),{"aria-label":"Forward"}),o("nav",{class:"ce-crumb","aria-label":"Where this source is"},...d),f,...b,i,g("\xD7","Close the source (Escape)",()=>n.close(),{"aria-label":"Close the source"})),e.note&&o("p",{class:"ce-dim"},e.note),...s(e.before,"Lines before"),o("pre",{class:"ce-source codeexplore",tabindex:0,role:"region","aria-label":`Source of ${e.row.name}`},...r),...s(e.after,`Lines after, of ${e.of}`)].filter(Boolean)}var gt=["bm25","embedding","graph"],xt=e=>gt.find(n=>e===n||e.endsWith(`-${n}`))??"signal";function Ve(e,n){let a=g("","Open its source",()=>n.open(e.target),{class:"ce-hit-name","data-target":e.target}),r=Math.max(e.name.lastIndexOf("."),e.name.lastIndexOf(":"))+1;a.append(o("small",{},e.name.slice(0,r)),o("b",{},e.name.slice(r)));let s=(e.bars??[]).map(([f,b])=>o("i",{class:`ce-share ce-of-${xt(f)}`,style:`width:${(b*100).toFixed(1)}%`,title:f})),i=o("div",{class:"ce-reason"}),d=e.bars&&g("why","Show how the score adds up",async()=>{let f=d.getAttribute("aria-expanded")==="true";if(d.setAttribute("aria-expanded",String(!f)),n.whys[f?"delete":"add"](e.target),f)return i.replaceChildren();let b=await n.tried(n.ask("why",{rank:e.rank}));b&&i.replaceChildren(o("code",{class:"ce-sum"},b.sum),N(b.html))},{class:"ce-why","aria-expanded":"false","aria-label":`Why hit ${e.rank}`});return d&&n.whys.has(e.target)&&d.click(),o("li",{class:"ce-hit"},o("div",{class:"ce-hit-head"},o("span",{class:"ce-rank"},`${e.rank}`),a,o("small",{},`${e.kind} ${e.place}`),e.role&&o("em",{},e.role)),e.signature&&o("code",{class:"ce-signature"},e.signature),e.doc&&o("div",{class:"ce-doc"},e.doc),...(e.lines??[]).map(([f,b])=>o("code",{class:"ce-signature"},`${f}  `,...me(b,n))),o("div",{class:"ce-hit-why"},e.bars&&o("span",{class:"ce-bars","aria-hidden":"true"},...s),o("small",{class:"ce-sentence"},e.why),d||null),i)}function Ye(e,n){let a=e.verdict&&o("p",{class:`ce-verdict ce-${e.verdict.kind}`},o("b",{},{found:"found",none:"none",possible:"may be",unknown:"unknown"}[e.verdict.kind]??"")," ",e.verdict.text);return[e.words&&o("p",{class:e.confidence==="none"?"ce-verdict ce-none":"ce-verdict"},e.words),a,...(e.notices??[]).map(r=>o("p",{class:"ce-dim"},r)),e.steps?.length?o("div",{class:"ce-row"},...e.steps.map(r=>n.stepButton(r))):null].filter(Boolean)}var ge=class extends Error{constructor(n){super(n.error),this.steps=n.steps??[]}};function Xe(e,n,a=()=>{}){let r=new Map,s=Math.random().toString(36).slice(2),i=0,d=(f,b)=>{if(f?.event)return a(f);let u=r.get(f?.id);u&&(r.delete(f.id),f.ok?u.ok({...f,buffers:b}):u.no(new ge(f)))};return e.on("msg:custom",d),n?.addEventListener("abort",()=>e.off("msg:custom",d)),(f,b={},u=6e4)=>new Promise((w,E)=>{let A=`${s}-${++i}`;r.set(A,{ok:w,no:E});try{e.send({id:A,kind:f,args:b})}catch{return r.delete(A),E(new Error("The kernel was restarted or has ended. Run the cell again."))}setTimeout(()=>r.delete(A)&&E(new Error("No answer yet: the kernel is busy or gone.")),u)})}async function Ze(e){let n="buffer"in e?new Uint8Array(e.buffer,e.byteOffset,e.byteLength):e,a=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(a).text()}function Qe(e,n,a=10){let r=n.toLowerCase().replace(/\s+/g,"");if(!r)return[];let s=[];for(let i=0;i<e.length;i++){let d=e[i],f=bt(d,r);f>0&&s.push([f-i/e.length-d.low.length/1e3,d])}return s.sort((i,d)=>d[0]-i[0]).slice(0,a).map(i=>i[1])}function bt(e,n){if(e.name===n)return 1e3;if(e.name.startsWith(n))return 800;if(e.name.includes(n))return 600;if(e.low.includes(n))return 400;let a=-1,r=0;for(let s of n){let i=e.low.indexOf(s,a+1);if(i<0)return 0;a>=0&&(r+=i-a-1),a=i}return Math.max(1,200-r)}var Je=e=>e.split(`
`).filter(Boolean).map(n=>{let[a,r,s]=n.split("	"),i=a.toLowerCase();return{fqn:a,low:i,name:i.slice(Math.max(i.lastIndexOf("."),i.lastIndexOf(":"))+1),kind:r,id:s}});function et(e){let n=/[\w.:$]+$/.exec(e);return n?[e.slice(0,n.index),n[0]]:[e,""]}async function vt({model:e,el:n,signal:a}){let r=Xe(e,a,lt),s=new ie([...e.get("history")??[]]),i=0,d=0,f=0,b=0,u=0,w=0,E=2e3,A="",m=[],k=null,O=[],$=null,x=o("input",{type:"text",class:"ce-ask-input",role:"combobox","aria-label":"Question or name","aria-expanded":"false","aria-autocomplete":"list","aria-controls":`ce-names-${tt()}`,autocomplete:"off",spellcheck:"false",placeholder:"a name, \u201Cwhat calls \u2026?\u201D, a description, or /text"}),q=o("ul",{class:"ce-names",role:"listbox",id:x.getAttribute("aria-controls"),"aria-label":"Names"}),p=o("textarea",{rows:8,"aria-label":"Bug report",placeholder:"an issue, an error message or a stack trace",hidden:!0}),S=o("span",{class:"ce-title"}),L=o("div",{class:"ce-status",role:"status","aria-live":"polite"}),M=o("div",{class:"ce-alert"}),j=o("div",{class:"ce-stale"}),oe=o("div",{class:"ce-row ce-lanes"}),ne=o("div"),Y=o("div",{class:"ce-code-box"}),re=o("div"),V=o("div",{class:"ce-view"}),X=o("div",{class:"ce-compare"}),_=o("div",{class:"ce-found"}),R=o("ol",{class:"ce-rows","aria-label":"Hits"}),se=o("div",{class:"ce-side"}),B=o("div",{class:"ce-open"}),z=o("div",{class:"ce-graph"}),U=o("div",{class:"ce-peek",role:"tooltip"}),xe={lab:g("Lab","Every step of the search with its numbers and controls",()=>it(e.get("options").view==="lab"?"ask":"lab"),{"aria-pressed":"false"})},be=o("div",{class:"ce-tabs",role:"group","aria-label":"Show"},g("Hits","Show the hits",()=>ee("hits")),g("Source and graph","Show the source and the graph",()=>ee("side"))),ve=o("span",{class:"ce-row ce-heading-buttons"}),T=o("div",{class:"ce-root"},o("style",{},Be,Ne),o("div",{class:"ce-row ce-heading"},S,ve),re,o("div",{class:"ce-ask"},x,g("Ask","Ask this question (Enter)",()=>P()),g("Paste a report","Open a larger box for text of several lines, such as a stack trace",()=>Se(),{class:"ce-paste","aria-pressed":"false"}),q),p,oe,ne,Y,V,o("div",{class:"ce-state"},L,M,j),be,o("div",{class:"ce-body"},o("div",{class:"ce-hits"},X,_,R),se),U);se.append(B,z),n.append(T);let y={ask:r,peek:U,known:null,options:{...e.get("options")},folds:new Set,whys:new Set,moreGraph:!1,open:H,step:le,close:de,walk:ae,choose:at,tried:K,stepButton:we,showPeek:ot,hide:()=>U.classList.remove("on"),copy:t=>{Re(t),F("Copied.")},graphWidth:()=>(z.clientWidth||se.clientWidth||T.clientWidth)-4,reset:()=>{y.options={view:y.options.view},Q({options:y.options}),P(),te()}};function F(t="",c=!1){L.textContent=t,L.classList.toggle("ce-busy",c)}function Z(t){F();for(let c of[_,R,B,z])c.classList.remove("ce-old");M.replaceChildren(o("div",{role:"alert",class:"ce-bad"},o("span",{},`\u26A0 ${t.message??t}`),...(t.steps??[]).map(we),/kernel/.test(t.message)?g("Try again","Ask once more",()=>he()):null))}async function K(t){try{return await t}catch(c){return Z(c),null}}function we(t){let c={ask:()=>{x.value=t.argument||x.value,P()},grep:()=>{x.value=`/${t.argument}`,P()},source:()=>H(t.argument),refresh:()=>Oe()};return c[t.kind]?g(t.label,"The next step",()=>{M.replaceChildren(),c[t.kind]()},{class:"ce-next"}):g(`Copy: ${t.label}`,"Copy this call, to run it in a cell",()=>y.copy(t.label.split(" ")[0]),{class:"ce-next"})}function Q(t){for(let[c,h]of Object.entries(t))e.set(c,h);try{e.save_changes()}catch{}}function ce(){clearTimeout(b),b=setTimeout(()=>{r("still").catch(()=>{}),Y.childElementCount&&ue()},700)}function ot(t,c){U.replaceChildren(c);let h=t.getBoundingClientRect(),l=T.getBoundingClientRect();Object.assign(U.style,{left:`${Math.max(0,Math.min(h.left-l.left,l.width-320))}px`,top:`${h.bottom-l.top+2}px`}),U.classList.add("on")}async function ye(){k??=r("names").then(async t=>{m=Je(await Ze(t.buffers[0]))}).catch(()=>{k=null}),await k}let G=-1;async function ke(){let t=x.value;if(m.length||await ye(),t!==x.value)return;let[c,h]=t.startsWith("/")?["",""]:et(t),l=h.length>1||!c&&h?Qe(m,h,10):[],C=O.filter(v=>v!==t&&v.toLowerCase().includes(t.toLowerCase())).slice(0,3);G=-1,q.replaceChildren(...l.map(v=>Ce(()=>c.trim()?Le(c+v.fqn):(J(),H(v.id)),v.fqn,v.kind)),...(t?C:[]).map(v=>Ce(()=>{Le(v),P()},v,"asked before"))),$e(q.childElementCount>0)}function Ce(t,c,h){return o("li",{role:"option",id:`ce-name-${tt()}`,"aria-selected":"false",onmousedown:l=>{l.preventDefault(),t()},onclick:()=>{}},o("span",{},c),o("small",{},h))}function Le(t){x.value=t,J(),x.focus()}function J(){G=-1,q.replaceChildren(),$e(!1)}function $e(t){x.setAttribute("aria-expanded",String(t)),x.removeAttribute("aria-activedescendant")}function nt(t){let c=[...q.children];G=Math.max(-1,Math.min(c.length-1,G+t)),c.forEach((h,l)=>h.setAttribute("aria-selected",String(l===G))),G>=0?x.setAttribute("aria-activedescendant",c[G].id):x.removeAttribute("aria-activedescendant")}async function P(){let t=++i,c=p.hidden?x.value.trim():p.value.trim();if(clearTimeout(u),J(),M.replaceChildren(),j.replaceChildren(),Q({question:c}),!c)return $=null,T.classList.add("ce-empty"),R.replaceChildren(),X.replaceChildren(),z.replaceChildren(),F(),Ee();T.classList.remove("ce-empty"),F("Searching \u2026",!0);for(let l of[_,R,z])l.classList.add("ce-old");let h=Ie(c);try{let l=await(h?r("grep",h):r("search",{question:c,options:y.options}));if(t!==i)return;p.hidden&&!O.includes(c)&&O.unshift(c),$={...l,grep:!!h},F(`${l.said} in ${l.took} ms`),_.replaceChildren(...Ye(l,y),...l.reading?[o("div",{class:"ce-reading"},N(l.reading))]:[]),R.replaceChildren(...l.rows.map(C=>Ve(C,y))),!l.rows.length&&!l.verdict&&R.append(o("li",{},h?"No file contains it.":"No hits."));for(let C of[_,R])C.classList.remove("ce-old");rt(l),te(),ce(),h||!l.start?(z.replaceChildren(),z.classList.remove("ce-old")):ae({symbol:l.start,walk:l.walk,depth:l.depth,target:l.target}),Me(2e3)}catch(l){if(t!==i)return;$=null;for(let C of[_,R,z])C.replaceChildren();Z(l)}}function rt(t){if(!t.choices?.length)return;let c=t.choices.map(l=>l[0]),h=l=>ae({symbol:l[0],others:l.slice(1),walk:t.walk,depth:t.depth});_.append(o("div",{class:"ce-row ce-choices"},"The name may mean:",...t.choices.slice(0,8).map(([l,C,v])=>g(`${C} (${v})`,"Show its graph",()=>h([l]))),g(`All ${c.length}`,"Show the graph around all of them",()=>h(c))))}function at(t,c=0){y.options=Ke({...y.options,...t}),Q({options:y.options}),clearTimeout(u),(x.value.trim()||p.value.trim())&&(u=setTimeout(P,c))}function Ee(){_.replaceChildren(o("p",{},e.get("title")?"Type a name or a question, or start with one of these:":"Open a repository to ask about it."),o("div",{class:"ce-row ce-starters"},...y.known.starters.map(t=>g(t,"Ask this question",()=>{x.value=t,P()}))),N(y.known.summary)),_.classList.remove("ce-old")}async function H(t,{keep:c=!0,first:h=0}={}){let l=++d;y.hide(),M.replaceChildren(),B.classList.add("ce-old");let C=await K(r("source",{target:t,first:h}));if(!C||l!==d)return B.classList.remove("ce-old");c&&s.go(t),Q({history:s.all}),A=C.row.target,B.classList.remove("ce-old"),B.replaceChildren(...Ue(C,y)),ee("side");for(let W of R.querySelectorAll(".ce-hit-name"))W.closest("li")?.classList.toggle("ce-current",W.dataset.target===t);let v=B.querySelector(".ce-at"),I=B.querySelector(".ce-source");v&&v.offsetTop>I.clientHeight&&(I.scrollTop=v.offsetTop-40),h||I.focus({preventScroll:!0}),ce(),C.row.kind!=="text"&&C.row.kind!=="module"&&ae({symbol:C.row.target,walk:$?.walk&&$.walk!=="path"?$.walk:"callers"},!1)}function le(t){let c=s.step(t);c?H(c,{keep:!1}):t<0&&de()}function de(){B.replaceChildren(),ee("hits"),(R.querySelector(".ce-current .ce-hit-name")??R.querySelector(".ce-hit-name")??x).focus()}function ee(t){T.classList.toggle("ce-show-side",t==="side"),[...be.children].forEach((c,h)=>c.setAttribute("aria-pressed",String(t==="side"==(h===1))))}async function ae(t,c=!0){let h=++f;z.classList.add("ce-old");let{trail:l,...C}=t;try{let v=await r("graph",{...C,width:y.graphWidth()});if(h!==f)return;z.replaceChildren(...Ge(t,v,y)),ce()}catch(v){if(h!==f)return;z.replaceChildren(),c&&Z(v)}z.classList.remove("ce-old")}function Se(){p.hidden=!p.hidden,x.disabled=!p.hidden,T.querySelector(".ce-paste")?.setAttribute("aria-pressed",String(!p.hidden)),p.hidden?x.focus():p.focus()}function it(t){y.options={...y.options,view:t},Q({options:y.options}),te()}async function te(){let t=y.options.view==="lab";xe.lab.setAttribute("aria-pressed",String(t)),T.classList.toggle("ce-in-lab",t);let c=["lanes","weights","relation","direction","depth"].some(W=>y.options[W]),h=oe.contains(pe())?pe()?.getAttribute("aria-label"):null;if(oe.replaceChildren(...De($?.health??null,y),...c&&!t?[g("Reset to automatic","Undo your choices",()=>y.reset())]:[]),h&&oe.querySelector(`[aria-label="${h}"]`)?.focus(),!t){ne.replaceChildren(),X.replaceChildren();return}if(ne.contains(pe())||ne.replaceChildren(je(y)),!$||$.grep)return X.replaceChildren();let l=await K(r("lab"));if(!l)return;let C=o("div"),v=y.comparing??"",I=async W=>{if(y.comparing=W,!W)return C.replaceChildren();let We=await K(r("compare",{other:W}));We&&C.replaceChildren(N(We.html))};X.replaceChildren(Fe(l,y),o("div",{class:"ce-row"},o("label",{},"Compare with ",o("select",{onchange:W=>I(W.target.value)},o("option",{value:""},"nothing"),...y.known.others.map(W=>o("option",{value:W,selected:W===v},W)))),g("Keep to compare","Compare later answers with this one",async()=>{await K(r("keep"))&&F("Kept: choose \u201Cthe answer you kept\u201D.")})),C),v&&I(v)}let pe=()=>T.getRootNode().activeElement??null;async function ue(){let t=await K(r("code"));t&&Y.replaceChildren(o("pre",{tabindex:0,role:"region","aria-label":"Python code"},t.code),g("Copy","Copy this code into a cell",()=>y.copy(t.code)))}function Ae(t,c){t.childElementCount?t.replaceChildren():c()}function Te(){let t=o("input",{type:"text",class:"ce-where",placeholder:"a folder, an installed package, or a git URL","aria-label":"Repository"}),c=o("progress",{max:1,value:0,"aria-label":"Progress"}),h=o("small",{class:"ce-stage"}),l=g("Cancel","Stop loading; the open repository stays open",()=>r("cancel"),{disabled:!0}),C=async()=>{M.replaceChildren(),l.disabled=!1,h.textContent="starting";try{await r("open",{where:t.value},36e5),re.replaceChildren(),m=[],k=null,s.all=[],s.at=-1,B.replaceChildren(),await he()}catch(v){l.disabled=!0,h.textContent="",/cancelled/.test(v.message)?F(v.message):Z(v)}};t.addEventListener("keydown",v=>{v.key==="Enter"&&(v.stopPropagation(),C())}),re.replaceChildren(o("div",{class:"ce-row ce-load"},t,g("Load","Load this repository",C),l,c,h)),t.focus()}function st(){let{known:t}=y;S.replaceChildren("Explore ",o("b",{},e.get("title")||"nothing"),o("small",{},t.size?` \xB7 ${t.size}`:" \xB7 no repository is open")),ve.replaceChildren(xe.lab,g("Open\u2026","Open another repository",()=>Ae(re,Te)),...t.views.map(c=>g(c.title,c.tip,()=>ct(c.key))),g("Python code","Show Python code that computes this view again",()=>Ae(Y,ue)),g("Pin","Save this answer under the explorer, as part of the notebook",async()=>{await K(r("pin"))&&F("Pinned below.")}))}async function ct(t){if(V.dataset.key===t)return V.dataset.key="",V.replaceChildren();F("Working \u2026",!0);let c=await K(r("view",{key:t},6e5));F(),c&&(V.dataset.key=c.html?t:"",V.replaceChildren(N(c.html)))}function Me(t){clearTimeout(w),E=t,w=setTimeout(async()=>{if(!$||$.grep)return;let c=performance.now(),h=i,l=await r("fresh").catch(()=>null);if(!(!l||h!==i)){if(l.again)return P();j.replaceChildren(...l.text?[o("span",{},l.text),l.step?g(l.step,"Load the changed files and ask again",()=>Oe()):""]:[]),Me(/graph is ready/.test(l.text)?500:Math.min(Math.max(2*E,20*(performance.now()-c)),3e4))}},t)}async function Oe(){F("Loading the changed files \u2026",!0),await K(r("refresh",{},36e5))&&(m=[],k=null,await P(),s.now&&B.childElementCount&&H(s.now,{keep:!1}))}function lt(t){let c=T.querySelector(".ce-stage"),h=T.querySelector("progress");t.event==="progress"&&c&&h&&(c.textContent=`${t.stage}${t.total>1?` ${t.done} of ${t.total}`:""}`,h.value=t.total?t.done/t.total:0),t.event==="code"&&Y.childElementCount&&ue(),t.event==="failed"&&Z({message:t.error,steps:t.steps})}x.addEventListener("focus",ye,{once:!0}),x.addEventListener("input",t=>{t.isComposing||ke()}),x.addEventListener("compositionend",()=>ke()),x.addEventListener("blur",()=>setTimeout(J,150)),T.addEventListener("click",t=>{let c=t.target,h=c.closest("a.ce-place"),l=c.closest("button.ce-copy");if(l){let v=l.parentElement?.querySelector("pre")?.cloneNode(!0);for(let I of v?.querySelectorAll(".ce-n")??[])I.remove();y.copy(l.dataset.copy??v?.textContent??"")}if(!h)return;t.preventDefault();let C=/^(.*):(\d+)/s.exec(h.textContent??"");C&&H(`${h.getAttribute("title")?.match(/^(\S+):\d+/)?.[1]??C[1]}:${C[2]}`)}),T.addEventListener("keydown",t=>{if(t.isComposing)return;let c=t.target,h=[...R.querySelectorAll(".ce-hit-name")],l=h.indexOf(c),C=q.childElementCount,v=t.key==="ArrowDown"?1:t.key==="ArrowUp"?-1:0;if(t.altKey&&(t.key==="ArrowLeft"||t.key==="ArrowRight"))le(t.key==="ArrowLeft"?-1:1);else if(t.key==="Enter"&&c===x)G>=0?q.children[G].dispatchEvent(new MouseEvent("mousedown",{cancelable:!0})):P();else if(t.key==="Enter"&&c===p&&(t.ctrlKey||t.metaKey))P();else if(v&&c===x&&C)nt(v);else if(v&&(c===x||l>=0)){let I=l+v;(I<0?x:h[Math.min(I,h.length-1)])?.focus()}else if(t.key==="Escape")U.classList.contains("on")?y.hide():C?J():B.contains(c)&&c!==T?s.at>0?le(-1):de():c!==x?x.focus():(x.value="",P());else{!t.ctrlKey&&!t.metaKey&&t.stopPropagation();return}t.preventDefault(),t.stopPropagation()}),globalThis.addEventListener("keydown",t=>{let c=t.composedPath()[0];c instanceof Element&&T.contains(c)&&c.toggleAttribute("data-lm-suppress-shortcuts",!(t.ctrlKey||t.metaKey))},{capture:!0,signal:a});let qe=new ResizeObserver(([t])=>{T.classList.toggle("ce-narrow",t.contentRect.width<720),T.classList.toggle("ce-slim",t.contentRect.width<520)});qe.observe(T),a?.addEventListener("abort",()=>{qe.disconnect();for(let t of[w,b,u])clearTimeout(t)}),e.on("change:place",()=>{let t=e.get("place");t&&t!==s.now&&t!==A&&!B.classList.contains("ce-old")&&H(t)}),e.on("change:question",()=>{let t=e.get("question");t!==(p.hidden?x.value.trim():p.value.trim())&&(Pe(t),P())}),e.on("change:options",()=>{e.get("options").view!==y.options.view&&(y.options={...e.get("options")},te())});function Pe(t){t.includes(`
`)===p.hidden&&Se(),p.hidden?x.value=t:p.value=t}async function he(){M.replaceChildren();let t=await K(r("start",{},6e5));t&&(y.known=t,st(),te(),ee("hits"),e.get("title")||Te(),x.value||!p.hidden?await P():(T.classList.add("ce-empty"),Ee()),e.get("place")&&H(e.get("place"),{keep:!s.all.length}))}Pe(e.get("question")??""),await he()}var wt=0,tt=()=>++wt,Ut={render:vt};export{Ut as default};
