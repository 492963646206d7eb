/** The style of the page, for light and dark mode, small screens and paper. */
export const style = `
:root { color-scheme: light dark; --line: #8884; --quiet: #8882; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h1, h2, h3, p { margin: 0 }
h1 { font-size: 1.5rem }
h2 { font-size: 1.125rem; margin: 2rem 0 .75rem }
h3 { font-size: 1rem; overflow-wrap: anywhere }
b { font-weight: 600; padding: .125rem .5rem; border-radius: 1rem; margin-right: .25rem; color: #fff }
.added { background: #1a7f37 } .removed { background: #b3261e }
.renamed { background: #0b6e99 } .changed { background: #8a5a00 } .replaced { background: #8a3a00 }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere }
small { opacity: .75 }
article { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem; break-inside: avoid }
article > div { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: .75rem 0 0 }
article > div + p { margin-top: .75rem }
figure { margin: 0; display: flex; flex-direction: column; gap: .25rem; min-width: 0 }
figure > img, figure > p { box-sizing: border-box; width: 100%; height: 14rem; border-radius: .25rem }
figure > img { padding: .5rem; object-fit: contain }
figure > img { background: repeating-conic-gradient(#ddd 0 25%, #fff 0 50%) 0 0 / 1rem 1rem }
figure > p { display: grid; place-items: center; background: var(--quiet); opacity: .75 }
figcaption { font-size: .875rem; opacity: .75 }
ul { margin: .25rem 0 0; padding-left: 1.25rem }
`
