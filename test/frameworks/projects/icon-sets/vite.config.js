import tailwindcss from '@tailwindcss/vite'
import unocss from '@unocss/vite'

export default { plugins: [tailwindcss(), unocss()] }
