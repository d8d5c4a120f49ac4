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
    'This link was used already or is too old. Log in by password, or start the workstation again for a new link.',
  expired: 'Your session ended. Log in to go on where you were.',
  hint: 'The workstation prints a one-time log-in link when it starts.',
  wait: (seconds: number) => `Too many tries. Wait ${counted(seconds, 'second', 'seconds')} and try again.`,
  code: 'Code',
  codeNote: 'This account has a second factor. Type the six digits that your authenticator app shows now.',
  recoveryCode: 'Recovery code',
  recoveryNote:
    'Type one of the recovery codes that you kept; it serves once. Without any, ask the owner of the workstation to remove your second factor.',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the authenticator app',
  startOver: 'Back',
};

export const passwordTexts = {
  menu: 'Password…',
  title: 'Change the password',
  welcome: 'Choose a password',
  welcomeText: (name: string) =>
    `You are the owner of this workstation, as “${name}”. A password opens it from other browsers and after this session.`,
  current: 'Current password',
  new: 'New password',
  rule: (length: number) => `At least ${length} characters`,
  again: 'The same again',
  mismatch: 'The two are not the same.',
  skip: 'Skip for now',
  back: 'Back',
  saved: 'The password is set.',
};
