/** A mistake of a person, which a test makes for real, and what a command says about it. */
export interface Mistake {
  /** The mistake. docs/errors.md lists it. */
  mistake: string
  /** Code of the error. `usage`: wrong usage of the command line. */
  code: string
  /** The statement in `src/main.ts`. The kit has the alias `brand`. */
  source?: string
  /** Other files of the project. Undefined: the file is missing. */
  files?: Record<string, string | undefined>
  env?: Record<string, string>
  /** Default: `sync`. */
  command?: string[]
  /** The parts of the message: the fact, the place, and the next step. */
  fact: RegExp
  place: RegExp
  step: RegExp
}
