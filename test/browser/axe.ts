import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Returns the findings of axe. It runs as a script of the test, so a page with a content security policy needs
 * `bypassCSP`.
 * @param impacts by default, serious and critical
 */
export async function findingsOf(
  page: Page,
  options = {},
  impacts: readonly string[] = ['serious', 'critical'],
): Promise<string[]> {
  await page.evaluate(axe.source)
  // Without `resultTypes`, axe spends most of its time on describing what has passed.
  const all = JSON.stringify({ resultTypes: ['violations'], ...options })
  const { violations }: AxeResult = await page.evaluate(
    `axe.run(document, ${all}).then(({ violations }) => ({ violations }))`,
  )
  return violations
    .filter(({ impact }) => impacts.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { target: string[] }[] }[]
}
