import { Component } from '@angular/core'
import { solvaneLogo } from '../content/index.js'
import coast from '../photographs/photographs/coast-at-dawn.js'

@Component({
  selector: 'app-root',
  template: `
    <main data-content="page">
      <img [alt]="logo.name" [src]="logo.src" />
      <img [alt]="coast.name" [src]="coast.src" [srcset]="coast.srcset" sizes="400px" />
    </main>
  `,
})
export class App {
  readonly logo = solvaneLogo
  readonly coast = coast
}
