import 'virtual:uno.css'
import './tailwind.css'
