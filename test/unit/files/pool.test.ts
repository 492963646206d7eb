import { execFileSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPool } from '../../../src/files/pool.js'
import type { Recipe } from '../../../src/files/recipe.js'
import { halves } from '../../support/pictures.js'

const recipe: Recipe = { kind: 'raster', format: 'png', fit: 'scale' }
const bytes = await halves(9, 6).png().toBuffer()

function pool(size: number) {
  const opened = openPool(size)
  onTestFinished(() => opened.close())
  return opened
}

/** The children of this process that convert. */
function converters(): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)/.exec(line) ?? []
    return Number(parent) === process.pid && line.includes('convert.js') ? [Number(pid)] : []
  })
}

describe('openPool', () => {
  it('runs no more at a time than it has places, and takes bytes only then', async () => {
    const { convert } = pool(2)
    let [open, most] = [0, 0]
    const all = Array.from({ length: 6 }, async () => {
      await convert(async () => {
        most = Math.max(most, ++open)
        return { bytes, recipe }
      })
      open--
    })
    await Promise.all(all)
    expect(most).toBeLessThanOrEqual(2)
    expect(converters().length).toBeLessThanOrEqual(2)
  })

  it('replaces a child that was killed', async () => {
    const { convert } = pool(1)
    await convert(async () => ({ bytes, recipe }))
    const [first] = converters()
    const killed = convert(async () => {
      process.kill(first ?? 0, 'SIGKILL')
      return { bytes, recipe }
    })
    await expect(killed).rejects.toThrow(/ended|channel|closed/i)
    expect((await convert(async () => ({ bytes, recipe }))).length).toBeGreaterThan(0)
    expect(converters()).not.toContain(first)
  })

  it('goes on when the bytes cannot be had', async () => {
    const { convert } = pool(1)
    await expect(convert(() => Promise.reject(new Error('no bytes')))).rejects.toThrow('no bytes')
    expect((await convert(async () => ({ bytes, recipe }))).length).toBeGreaterThan(0)
  })

  it('tells its children no secret', async () => {
    process.env['CONTENT_SPACE_TOKEN'] = 'canary'
    onTestFinished(() => void delete process.env['CONTENT_SPACE_TOKEN'])
    const { convert } = pool(1)
    await convert(async () => ({ bytes, recipe }))
    const [pid] = converters()
    expect(execFileSync('ps', ['eww', '-p', String(pid)]).toString()).not.toContain('canary')
  })
})
