import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { processOutputs } from '../print.js'

/**
 * Asks the user of this process for a line.
 * @param input of the process
 * @param secret whether the answer is not shown
 * @throws when the user closes the input, or a signal ends the process
 */
export async function askUser(
  input: NodeJS.ReadStream,
  question: string,
  secret: boolean,
  signal: AbortSignal,
): Promise<string> {
  const { stderr } = processOutputs()
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  if (secret) stderr.write(question)
  const lines = createInterface({ input, output: secret ? hidden : stderr, terminal: true })
  const closed = new AbortController()
  lines.once('close', () => closed.abort())
  try {
    return await lines.question(question, { signal: AbortSignal.any([signal, closed.signal]) })
  } finally {
    lines.close()
    if (secret) stderr.write('\n')
  }
}
