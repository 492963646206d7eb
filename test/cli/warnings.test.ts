import { expect, onTestFinished, test } from 'vitest'
import { project } from '../support/cli.js'
import { brand, svg, writeSpace } from '../support/space.js'

test('every command that loads a kit prints the warnings about its content, also beside JSON', async () => {
  const space = await writeSpace({
    'brand/kit.json': { uuid: brand.uuid, name: 'Brand' },
    'brand/Logos/logo.svg': svg('logo'),
    'brand/Logos/section.json': { items: ['logo.svg', { type: 'poll', data: { question: 'Which?' } }] },
  })
  onTestFinished(() => space.remove())
  const work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: brand.uuid }, types: false }),
      'src/a.js': "import { logo } from 'content-space:kit/brand'\nconsole.log(logo)\n",
    },
    { CONTENT_SPACE_URL: space.folder },
  )
  onTestFinished(() => work.remove())
  const warning = 'warning: Brand (version 0): items of unknown types are kept as data ("poll").\n'
  const commands = [['sync'], ['verify'], ['audit'], ['usage'], ['ls', 'brand'], ['catalog'], ['diff']]
  for (const command of commands) {
    expect(await work.run(...command), command.join(' ')).toMatchObject({ code: 0, stderr: warning })
    expect(await work.run(...command, '--json'), command.join(' ')).toMatchObject({ code: 0, stderr: warning })
  }
})
