import styles from './card.module.scss'

const card = document.createElement('div')
card.className = styles.card
card.dataset.content = 'card'
document.body.append(card)
