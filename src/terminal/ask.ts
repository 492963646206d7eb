import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { processOutputs } from '../print.js'

/**
 * Asks the user of this process for a line.
 * @param from the input of the process, and what a signal to interrupt does to it
 * @param secret whether the answer is not shown
 * @throws when a signal ends the process, as Ctrl+C and Ctrl+D in the terminal do
 */
export async function askUser(
  { input, interrupt }: { input: NodeJS.ReadStream; interrupt: (this: void) => unknown },
  question: string,
  secret: boolean,
  signal: AbortSignal,
): Promise<string> {
  const { stderr } = processOutputs()
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: secret ? hidden : stderr, terminal: true })
  // In a terminal, readline takes this key, so that the process would not learn of it, even if no question waits.
  lines.on('SIGINT', interrupt)
  // When the input is raw, so that nothing that is typed now is shown.
  if (secret) stderr.write(question)
  try {
    return await lines.question(question, { signal })
  } catch (error) {
    // The user typed Ctrl+D.
    if (!signal.aborted) interrupt()
    throw error
  } finally {
    lines.close()
    if (secret) stderr.write('\n')
  }
}
