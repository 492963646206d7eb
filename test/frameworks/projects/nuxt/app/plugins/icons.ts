import appIcons from 'content-space:app-icons/brand/app-icon?name=Solvane'

export default defineNuxtPlugin(() => {
  useHead({ link: appIcons.links })
})
