// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../../../components/text/counted.ts';

export const matchesTexts = {
  none: 'No ruleset matches',
  noneText: 'Rulesets scan the APK, its files and its reports.',
  inactive: 'No rules are active',
  inactiveText: 'No rule was run: write a ruleset, add the starter rules, or enable one.',
  toRulesets: 'Rulesets',
  by: (author: string) => `by ${author}`,
  open: 'Show these bytes',
  code: 'Code',
  openCode: 'Show this code',
  moreStrings: (count: number) => `show ${counted(count, 'more string', 'more strings')}`,
  strings: (count: number, shown: number) =>
    count > shown
      ? `${formatCount(shown)} of ${counted(count, 'string', 'strings')}`
      : counted(count, 'string', 'strings'),
};
