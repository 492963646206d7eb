/** A mistake that a person might make, which a test really makes, and what a command says about it. */
export interface Mistake {
  /** The mistake as listed in docs/errors.md. */
  mistake: string
  /** The error's code. `usage`: wrong usage of the command line. */
  code: string
  /** The statement in `src/main.ts`. The kit has the alias `brand`. */
  source?: string
  /** Other files of the project. Undefined if the file is missing. */
  files?: Record<string, string | undefined>
  env?: Record<string, string>
  /** By default, `sync`. */
  command?: string[]
  /** Patterns for the parts of the message: the fact, the place, and the next step. */
  fact: RegExp
  place: RegExp
  step: RegExp
}
