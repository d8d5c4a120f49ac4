// English texts of the statistics of rules. Knows nothing of where they are shown.
import { counted, formatCount } from '../../components/text/counted.ts';

export const statisticsTexts = {
  title: 'Rule statistics',
  rulesets: 'Rulesets',
  choice: 'Which rules',
  choices: { all: 'All', quarantined: 'In quarantine' },
  order: 'Order',
  orders: { '-apks': 'Most APKs', '-dismissals': 'Most dismissed', name: 'Name' },
  search: 'Search rules, rulesets and packages',
  columns: {
    rule: 'Rule',
    ruleset: 'Ruleset',
    package: 'Package',
    apks: 'APKs',
    share: 'Share',
    dismissals: 'Dismissed',
    state: 'Quarantine',
  },
  none: 'No rule matches',
  noneText: 'Rules stand here as soon as they match an APK, those that match most at the top.',
  noneFoundText: 'No rule that matches an APK is called so, nor its ruleset or package.',
  first: (shown: number, all: number) => `The first ${formatCount(shown)} of ${counted(all, 'rule', 'rules')}.`,
  quarantine: 'Quarantine…',
  quarantineLabel: (rule: string) => `Quarantine ${rule}`,
  quarantineTitle: (rule: string) => `Quarantine ${rule}`,
  quarantineText:
    'Its matches are kept and stand folded, everywhere: they add nothing to the risk of an APK, and nobody is notified of them.',
  quarantineNow: 'Quarantine',
  by: (analyst: string) => `(${analyst})`,
};
