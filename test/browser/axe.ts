import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Returns the findings of axe. It is a script of the test: a page with a policy needs `bypassCSP`.
 * @param impacts default: the serious and critical ones
 */
export async function findingsOf(
  page: Page,
  options = {},
  impacts: readonly string[] = ['serious', 'critical'],
): Promise<string[]> {
  await page.evaluate(axe.source)
  // Without `resultTypes`, most of the time goes into describing what has passed.
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
