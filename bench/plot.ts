/** A panel of a plot: lines over a logarithmic axis. */
export interface Panel {
  /** The label of the horizontal axis. */
  x: string
  /** The label of the vertical axis, with the unit. */
  y: string
  /** The first line is solid, and the second is dashed. */
  lines: { name: string; points: [x: number, y: number][] }[]
}

const panel = { width: 360, height: 240 }
/** The space around the axes of a panel. */
const margin = { top: 34, right: 56, bottom: 44, left: 48 }
const columns = 2

const style = `
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .title { font-weight: 600 }
  .axis { stroke: #999; fill: none }
  .grid { stroke: #999; stroke-opacity: 0.25 }
  .line { fill: none; stroke-width: 2 }
  .line0, .dot0 { stroke: #0b62c4 } .dot0, .name0 { fill: #0b62c4 }
  .line1, .dot1 { stroke: #b3540a } .dot1, .name1 { fill: #b3540a }
  .line1 { stroke-dasharray: 5 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ccc }
    .line0, .dot0 { stroke: #6cb0ff } .dot0, .name0 { fill: #6cb0ff }
    .line1, .dot1 { stroke: #ffa657 } .dot1, .name1 { fill: #ffa657 }
  }`

/** Draws panels as an SVG with two per row, readable in light and dark mode. The same panels give the same bytes. */
export function plot(panels: readonly Panel[]): string {
  const width = columns * panel.width
  const height = Math.ceil(panels.length / columns) * panel.height
  const parts = panels.map((one, at) => {
    const [left, top] = [(at % columns) * panel.width, Math.floor(at / columns) * panel.height]
    return `<g transform="translate(${left} ${top})">\n${drawPanel(one)}\n</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<style>${style}
</style>
${parts.join('\n')}
</svg>
`
}

function drawPanel({ x, y, lines }: Panel): string {
  const points = lines.flatMap((line) => line.points)
  const values = [...new Set(points.map(([value]) => value))].toSorted((a, b) => a - b)
  const [first = 1, last = 1] = [values[0], values.at(-1)]
  const step = tickStep(Math.max(...points.map(([, value]) => value)))
  const top = step * Math.ceil(Math.max(...points.map(([, value]) => value)) / step)
  const [innerWidth, innerHeight] = [
    panel.width - margin.left - margin.right,
    panel.height - margin.top - margin.bottom,
  ]
  const atX = (value: number): string =>
    round(margin.left + (innerWidth * Math.log(value / first)) / Math.log(last / first || Math.E))
  const atY = (value: number): string => round(margin.top + innerHeight * (1 - value / top))
  const right = panel.width - margin.right
  const ends = lines.map((line) => Number(atY(line.points.at(-1)?.[1] ?? 0)))
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  return [
    `<text class="title" x="${margin.left}" y="20">${y}</text>`,
    ...ticks.map(
      (value) =>
        `<path class="grid" d="M${margin.left} ${atY(value)}H${right}"/><text x="${margin.left - 6}" y="${atY(value)}" dy="4" text-anchor="end">${numberText(value)}</text>`,
    ),
    `<path class="axis" d="M${margin.left} ${margin.top}V${atY(0)}H${right}"/>`,
    ...values.map(
      (value) =>
        `<text x="${atX(value)}" y="${atY(0)}" dy="17" text-anchor="middle">${value.toLocaleString('en')}</text>`,
    ),
    `<text x="${margin.left + innerWidth / 2}" y="${panel.height - 8}" text-anchor="middle">${x}</text>`,
    ...lines.map(({ name, points: line }, at) => {
      const [endX, endY] = line.at(-1) ?? [first, 0]
      const shift = 4 + nameShift(ends, at)
      const dots = line.map(([px, py]) => `<circle class="dot${at}" cx="${atX(px)}" cy="${atY(py)}" r="2.5"/>`)
      const path = line.map(([px, py]) => `${atX(px)} ${atY(py)}`).join('L')
      return `<path class="line line${at}" d="M${path}"/>${dots.join('')}<text class="name${at}" x="${atX(endX)}" y="${atY(endY)}" dx="8" dy="${round(shift)}">${name}</text>`
    }),
  ].join('\n')
}

/** Returns how far to move a line's name down, so that the names of two lines that end close together don't overlap. */
function nameShift(ends: readonly number[], at: number): number {
  const own = ends[at] ?? 0
  const other = ends[1 - at] ?? Infinity
  const overlap = Math.max(0, nameHeight - Math.abs(own - other)) / 2
  return own > other || (own === other && at === 1) ? overlap : -overlap
}

const nameHeight = 14

/** Returns a round step that gives an axis up to `top` between four and ten ticks. */
function tickStep(top: number): number {
  const power = 10 ** Math.floor(Math.log10(top))
  return [power / 5, power / 2, power].find((step) => top / step <= 6) ?? power * 2
}

function numberText(value: number): string {
  return Number(value.toFixed(2)).toLocaleString('en')
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}
