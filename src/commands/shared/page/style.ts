/** The style of pages, for light and dark mode, small screens and paper. `picture.ts` repeats the background colors. */
export const style = `
:root { color-scheme: light dark; --page: light-dark(#fafafa, #131417); --card: light-dark(#fff, #1b1d21);
  --line: light-dark(#e3e4e8, #2e3138); --text: light-dark(#17181c, #eceef2); --soft: light-dark(#5b606b, #a2a8b4);
  --quiet: light-dark(#f1f2f4, #24272d); font: 16px/1.5 system-ui, sans-serif }
body { max-width: 64rem; margin: 0 auto; padding: clamp(1rem, 4vw, 2.5rem); background: var(--page);
  color: var(--text) }
h1, h2, h3, p { margin: 0 }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em }
header p { margin-top: .25rem; color: var(--soft) }
h2 { font-size: 1.125rem; margin: 2.5rem 0 .75rem; overflow-wrap: anywhere }
h3 { font-size: 1rem; overflow-wrap: anywhere }
b { font-size: .8125rem; font-weight: 600; padding: .1875rem .5rem; border-radius: 1rem; margin-right: .375rem;
  color: #fff }
.added { background: #1a7f37 } .removed { background: #b3261e }
.renamed, .moved { background: #0b6e99 } .changed { background: #8a5a00 } .replaced { background: #a13d00 }
.copy { background: #b3261e } .outdated { background: #a13d00 } .redrawn { background: #8a5a00 }
.likeness { background: #0b6e99 } .color { background: #7a3e9d } .expired { background: #5b606b }
code { font: .8125rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
.whole { user-select: all }
small { font-size: .875rem; color: var(--soft) }
aside { margin: 0 0 1rem; padding: .75rem 1rem; border-left: .25rem solid var(--line); background: var(--quiet);
  border-radius: 0 .5rem .5rem 0; overflow-wrap: anywhere }
aside h3 { font-size: .875rem } aside p { font-size: .9375rem; color: var(--soft) }
article { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); padding: 1rem;
  margin: 0 0 1rem; break-inside: avoid }
article > h3 + p { margin-top: .25rem }
article > div { display: grid; grid-template-columns: 1fr 1fr; gap: clamp(.5rem, 2vw, 1rem); margin: .75rem 0 0 }
article > div + p { margin-top: .75rem; font-weight: 600 }
figure { margin: 0; display: flex; flex-direction: column; gap: .375rem; min-width: 0 }
figure > img, figure > svg, figure > p { box-sizing: border-box; width: 100%; height: clamp(8rem, 30vw, 15rem);
  border-radius: .5rem; border: 1px solid var(--line) }
div.low > figure > :first-child { height: clamp(5rem, 20vw, 9rem) }
figure > img { padding: clamp(.5rem, 2vw, 1rem); object-fit: scale-down; background: var(--quiet) }
figure > img.light { background: #fff }
figure > img.dark { background: #1c1e22; border-color: light-dark(#1c1e22, var(--line)) }
figure > p { display: grid; place-items: center; padding: .5rem; text-align: center; font-size: .875rem;
  background: var(--quiet); color: var(--soft); overflow-wrap: anywhere }
figcaption { font-size: .8125rem; color: var(--soft) }
ul { margin: .25rem 0 0; padding-left: 1.25rem }
ul.parts { margin: 0 0 1rem; padding: 0 1rem; list-style: none; border: 1px solid var(--line); border-radius: .75rem;
  background: var(--card) }
ul.parts > li { padding: .75rem 0; break-inside: avoid }
ul.parts > li + li { border-top: 1px solid var(--line) }
ul.parts h3 small { font-weight: 400 }
ul.parts > li > p + p { margin-top: .5rem; font-weight: 600 }
@media print { :root { color-scheme: light } b, figure > img, figure > svg { print-color-adjust: exact } }
`
