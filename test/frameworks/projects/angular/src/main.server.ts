import { bootstrapApplication, provideClientHydration, type BootstrapContext } from '@angular/platform-browser'
import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr'
import { App } from './app/app'

const routes = withRoutes([{ path: '**', renderMode: RenderMode.Prerender }])
const config = { providers: [provideClientHydration(), provideServerRendering(routes)] }

export default function bootstrap(context: BootstrapContext) {
  return bootstrapApplication(App, config, context)
}
