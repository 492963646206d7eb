import { expectInstallable } from '../../browser/installable.js'
import { openPage } from './look.js'
import type { FrameworkProject } from './project.js'

/**
 * Writes the icons of the application Solvane with the command.
 * @param more options for the command
 */
export async function writeIcons(project: FrameworkProject, folder: string, ...more: string[]): Promise<void> {
  const options = ['--out', folder, '--name', 'Solvane', ...more]
  await project.run('content-space', 'app-icons', 'brand/app-icon', ...options)
}

/** Checks that a browser can install the page at a URL as the application Solvane. */
export async function expectApplication(url: string): Promise<void> {
  const page = await openPage()
  try {
    await expectInstallable(page, url, 'Solvane')
  } finally {
    await page.close()
  }
}
