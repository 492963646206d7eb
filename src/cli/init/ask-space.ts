import { isAddress } from '../../space/is-address.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import type { CommonFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'

/** Where the content comes from, as flags of the command line. */
export interface SpaceFlags extends Pick<CommonFlags, 'space' | 'spaceId' | 'token'> {
  demo?: true
}

/**
 * Asks where the content comes from, until it can be read.
 * @param check reads the space, and returns what is wrong
 */
export async function askForSpace(
  ask: NonNullable<Terminal['ask']>,
  note: Terminal['note'],
  check: (flags: SpaceFlags) => Promise<string | undefined>,
): Promise<SpaceFlags> {
  for (;;) {
    const space = await ask('Address of the service, or path of a folder (empty: write a small space to try it): ')
    if (space === '') return { demo: true }
    const isComplete = !isAddress(space) || new URL(space).username !== ''
    const spaceId = isComplete ? undefined : await ask('Id of the space: ')
    const token = isComplete ? undefined : await ask('Token (not shown): ', true)
    const flags = { space, ...omitUndefined({ spaceId, token }) }
    const problem = await check(flags)
    if (problem === undefined) return flags
    note(problem)
  }
}
