import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { processOutputs } from '../print.js'

/**
 * Asks the user for a line of input.
 * @param from the input of the process, and a function that acts like an interrupt signal
 * @param secret whether to hide the answer
 * @throws if a signal, Ctrl+C or Ctrl+D interrupts the process
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
  // In a terminal, readline handles Ctrl+C itself, so the process wouldn't notice it otherwise.
  lines.on('SIGINT', interrupt)
  // Print the question only after the input has become raw, so that the terminal doesn't echo the answer.
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
