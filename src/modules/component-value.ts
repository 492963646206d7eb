import { runtimeOf, type RuntimeExport, type RuntimeName } from '../components/runtimes.js'
import type { AssetPlan } from '../files/plan.js'
import type { Framework } from '../request/frameworks.js'
import { code, contentLiteral, type Code } from './literal.js'
import { embed, importRuntime, type Imports, type References } from './references.js'
import { srcsetExpression } from './srcset.js'

/** Returns the expression for a component: a call of the framework's runtime. */
export async function componentValue(
  framework: Framework,
  plan: AssetPlan,
  references: References,
  imports: Imports,
): Promise<Code> {
  const call = (name: RuntimeName, exported: RuntimeExport, argument: unknown): Code => {
    const runtime = references.runtime?.(name, exported) ?? importRuntime(name, exported)
    const callee = contentLiteral(embed(runtime, imports))
    return code(`/* @__PURE__ */ ${callee}(${contentLiteral(argument)})`)
  }
  if (plan.value) return call(framework, 'svg', embed(await references.value(plan.value), imports))
  const { src, width, height, srcset, sources, placeholder } = plan
  const density = densityOf(plan)
  const data = {
    src: src && embed(references.address(src), imports),
    width: width && Math.round(width / density),
    height: height && Math.round(height / density),
    srcset: srcset && srcsetExpression(srcset, references, imports),
    sources: sources?.map(({ type, srcset: entries }) => ({
      type,
      srcset: srcsetExpression(entries, references, imports),
    })),
    placeholder: placeholder && embed(await references.value(placeholder), imports),
  }
  return call(runtimeOf(framework, plan), sources ? 'picture' : 'image', data)
}

/** With density descriptors, `src` has the highest density. It is displayed at its size divided by this density. */
function densityOf({ srcset, sources }: AssetPlan): number {
  const last = (srcset ?? sources?.at(-1)?.srcset)?.at(-1)?.descriptor ?? '1x'
  return Number(/^([\d.]+)x$/.exec(last)?.[1] ?? 1)
}
