import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Returns the serious and critical findings of axe. It is a script of the test: a page with a policy needs `bypassCSP`. */
export async function findingsOf(page: Page, options = {}): Promise<string[]> {
  await page.evaluate(axe.source)
  // Without `resultTypes`, most of the time goes into describing what has passed.
  const all = JSON.stringify({ resultTypes: ['violations'], ...options })
  const { violations }: AxeResult = await page.evaluate(
    `axe.run(document, ${all}).then(({ violations }) => ({ violations }))`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { target: string[] }[] }[]
}
