import type { SrcsetEntry } from '../files/plan.js'
import { code, type Code } from './literal.js'
import { addImport, type Imports, type References } from './references.js'

/**
 * Returns an expression for a `srcset`, such as `a 640w, b 1280w`. The strings are joined when the module runs, because
 * addresses are known only then.
 */
export function srcsetExpression(entries: readonly SrcsetEntry[], references: References, imports: Imports): Code {
  const addresses = entries.map(({ file }) => references.address(file))
  const parts = addresses.map(
    ({ code: text }, index) => `${text}+${JSON.stringify(` ${entries[index]?.descriptor ?? ''}`)}`,
  )
  const sum = parts.join('+", "+')
  for (const address of addresses) addImport(address, imports)
  // For bundlers, `+` with an imported value may have side effects. The annotation allows them to drop it.
  return code(addresses.some((address) => address.import) ? `/* @__PURE__ */ (() => ${sum})()` : sum)
}
