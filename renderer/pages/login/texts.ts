// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../components/text/counted.ts';

export const loginTexts = {
  title: 'Log in',
  username: 'User name',
  password: 'Password',
  enter: 'Log in',
  entering: 'Logging in…',
  wrong: 'User name and password do not match.',
  linkSpent:
    'This link was already used or has expired. Log in with your password, or ask the owner of the workstation for a new one-time password. The owner gets one on the machine itself: apk-workstation account reset-password NAME.',
  expired: 'Your session ended. Log in to continue where you were.',
  hint: 'First time here? Open the one-time link shown where the workstation was started, or the invitation that its owner sent you. Password lost? The owner resets it under Administration → Accounts; the owner’s own is reset on the machine itself: apk-workstation account reset-password NAME.',
  wait: (seconds: number) => `Too many attempts. Wait ${counted(seconds, 'second', 'seconds')} and try again.`,
  code: 'Code',
  codeNote: 'This account has a second factor. Enter the six-digit code from your authenticator app.',
  recoveryCode: 'Recovery code',
  recoveryNote:
    'Enter one of your recovery codes; each works once. If you have none left, ask the owner of the workstation to remove your second factor.',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the authenticator app',
  startOver: 'Back',
};

export const passwordTexts = {
  menu: 'Password…',
  title: 'Change the password',
  welcome: 'Choose a password',
  welcomeText: (name: string) =>
    `You are logged in as “${name}”. With a password you can log in from other browsers, and again after this session.`,
  current: 'Current password',
  new: 'New password',
  rule: (length: number) => `At least ${length} characters`,
  again: 'Repeat the password',
  mismatch: 'The passwords do not match.',
  chooseNameNote: 'You own this workstation; teammates see this name.',
  skip: 'Skip for now',
  back: 'Back',
  saved: 'The password is set.',
};
