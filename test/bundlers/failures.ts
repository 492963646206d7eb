import type { Options } from '../../src/config/options.js'
import { kits } from './space.js'

/** A build that must fail in every bundler with the same message, without writing anything. */
export interface Failure {
  name: string
  /** The source of `main.js`. */
  main: string
  options?: Options
  /** Patterns that the message must match: the mistake, and the nearest valid name. */
  says: RegExp[]
  /** Whether the message names the importing file. It doesn't have to if the service can't be reached. */
  naming?: false
}

const brand = `content-space:kit/${kits.brand}`
const nobody = '99999999-9999-4999-8999-999999999999'
const use = 'console.log(JSON.stringify(x))'
const whole = `import * as all from '${brand}'; console.log(all)`

export const failures: Failure[] = [
  {
    name: 'a wrong token',
    main: `import x from '${brand}'; ${use}`,
    options: { token: 'wrong-token' },
    says: [/token/i],
  },
  {
    name: 'an unknown kit by uuid',
    main: `import x from 'content-space:kit/${nobody}'; ${use}`,
    says: [new RegExp(nobody, 'i')],
  },
  { name: 'an unknown kit by name', main: `import x from 'content-space:kit/brant'; ${use}`, says: [/brant/, /brand/] },
  { name: 'an unknown version', main: `import x from '${brand}@77'; ${use}`, says: [/77/] },
  {
    name: 'an unknown section',
    main: `import x from 'content-space:section/${kits.brand}/logoz'; ${use}`,
    says: [/logoz/, /logos/],
  },
  {
    name: 'an id that is built at run time',
    main: `const name = 'acme-logo'; import(\`content-space:asset/brand/\${name}\`)`,
    says: [/asset\/brand\/\$\{…\} is built at run time/, /content-space:kit\/brand\?lazy/, /main\.js[^]*1/],
  },
  {
    name: 'an id that stays text',
    main: `document.body.innerHTML = '<img src="content-space:asset/${kits.brand}/acme-logo">'`,
    says: [/asset\/[^/]+\/acme-logo is in a string, where it remains text/, /import acmeLogo from/, /main\.js[^]*1/],
  },
  {
    name: 'an unknown asset',
    main: `import x from 'content-space:asset/${kits.brand}/acme-loga'; ${use}`,
    says: [/acme-loga/, /acme-logo/],
  },
  {
    name: 'the address of a color',
    main: `import x from 'content-space:asset/${kits.style}/coral?url'; ${use}`,
    says: [/Coral \(COLOR\).*no file/],
  },
  {
    name: 'an unknown export',
    main: `import { acmeLoga as x } from '${brand}'; ${use}`,
    says: [/acmeLoga/, /acmeLogo/],
  },
  { name: 'an unknown re-export', main: `export { acmeLoga } from '${brand}'`, says: [/acmeLoga/, /acmeLogo/] },
  {
    name: 'an unknown member',
    main: `import * as kit from '${brand}'; const x = kit.acmeLoga; ${use}`,
    says: [/acmeLoga/, /acmeLogo/],
  },
  {
    name: 'an unknown name in the function of a callback',
    main: `import('${brand}').then(function ({ acmeLoga: x }) { ${use} })`,
    says: [/acmeLoga/, /acmeLogo/],
  },
  {
    name: 'an unknown name in a callback, beside the kit as a value',
    main: `import('${brand}').then(({ acmeLoga: x }) => ${use}); ${whole}`,
    says: [/acmeLoga/, /acmeLogo/],
  },
  {
    name: 'an unknown name of a dynamic import, beside the kit as a value',
    main: `const { acmeLoga: x } = await import('${brand}'); ${use}; ${whole}`,
    says: [/acmeLoga/, /acmeLogo/],
  },
  {
    name: 'an unknown kind of id',
    main: `import x from 'content-space:asets/${kits.brand}'; ${use}`,
    says: [/asets/, /asset/],
  },
  { name: 'an unknown query', main: `import x from '${brand}?metdata=full'; ${use}`, says: [/metdata/, /metadata/] },
  {
    name: 'a color imported by its own name',
    main: `import { coral as x } from 'content-space:tokens/${kits.style}'; ${use}`,
    says: [/coral/, /colors and fonts/],
  },
  {
    name: 'tokens with a query',
    main: `import x from 'content-space:tokens/${kits.style}?as=url'; ${use}`,
    says: [/does not take a query/],
  },
  {
    name: 'two sets of application icons',
    main: `
      import x from 'content-space:app-icons/${kits.brand}/acme-logo'
      import y from 'content-space:app-icons/${kits.brand}/acme-logo?padding=10'
      console.log(JSON.stringify([x, y]))`,
    says: [/application icons/, /Acme Logo\b/, /padding=10/],
  },
  {
    name: 'application icons of a picture that is too small',
    main: `import x from 'content-space:app-icons/${kits.brand}/hero-photo'; ${use}`,
    says: [/Hero Photo \(JPG\) is too small/, /60 × 40/],
  },
  {
    name: 'an unknown key of application icons',
    main: `import x from 'content-space:app-icons/${kits.brand}/acme-logo?paddin=1'; ${use}`,
    says: [/paddin/, /padding/],
  },
  {
    name: 'a cut that the asset does not have',
    main: `import x from 'content-space:asset/${kits.brand}/hero-photo?cut=pdf'; ${use}`,
    says: [/PDF/i, /PNG/],
  },
  {
    name: 'a service that cannot be reached',
    main: `import x from '${brand}'; ${use}`,
    options: { space: 'http://127.0.0.1:9' },
    says: [/127\.0\.0\.1:9/],
    naming: false,
  },
]
