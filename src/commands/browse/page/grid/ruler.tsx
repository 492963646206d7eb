import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { metricsOf, type Metrics, type TextHeights } from '../layout.js'
import type { Group, KitModel } from '../../../shared/kit-page/model.js'
import { Guide, Texts } from './texts.js'

interface Measured {
  model: KitModel
  width: number
  heights: TextHeights[]
}

const none: TextHeights[] = []

/**
 * Measures the text of a kit, because all heights of the grid must be known before it is rendered.
 * @returns heights by `Group.at`; undefined before the first measurement. While `ruler` is rendered, they belong to
 *   another width or content. It is rendered and removed again before the browser paints.
 */
export function useTextHeights(model: KitModel, width: number, metrics: Metrics) {
  const [measured, setMeasured] = useState<Measured>()
  const groups = useMemo(() => model.groups.filter(({ texts, kind }) => texts.length > 0 || kind === 'guides'), [model])
  if (groups.length === 0) return { heights: none, ruler: null }
  const isCurrent = width === 0 || (measured?.model === model && measured.width === width)
  const ruler = isCurrent ? null : (
    <Ruler groups={groups} metrics={metrics} onMeasured={(heights) => setMeasured({ model, width, heights })} />
  )
  return { heights: measured?.heights, ruler }
}

interface RulerProperties {
  groups: readonly Group[]
  metrics: Metrics
  onMeasured: (heights: TextHeights[]) => void
}

/** Renders text like the grid, but invisibly. */
function Ruler({ groups, metrics, onMeasured }: RulerProperties) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const heights: TextHeights[] = []
    for (const [index, { at }] of groups.entries()) {
      const element = ref.current?.children[index]
      const guides = Array.from(element?.querySelectorAll('.tiles .guide') ?? [], heightOf)
      heights[at] = { texts: heightOf(element?.querySelector('.texts')), guide: Math.max(0, ...guides) }
    }
    onMeasured(heights)
  })
  return (
    <div ref={ref} class="ruler" aria-hidden="true">
      {groups.map((group) => (
        <div key={group.at}>
          <Texts texts={group.texts} />
          <div
            class="tiles"
            style={{ gridTemplateColumns: `repeat(${metricsOf(group, metrics).columns}, minmax(0, 1fr))` }}
          >
            {group.assets.map(({ guide }, at) => guide && <Guide key={at} guide={guide} />)}
          </div>
        </div>
      ))}
    </div>
  )
}

const heightOf = (element: Element | null | undefined): number =>
  Math.ceil(element?.getBoundingClientRect().height ?? 0)
