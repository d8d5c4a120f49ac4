// English texts of this room. Knows nothing of where they are shown.
import { formatCount } from '../../../components/text/counted.ts';

export const communityTexts = {
  detections: 'Detections',
  noDetections: 'No detections.',
  votes: 'Votes',
  rating: (rating: number) => `Rating ${rating > 0 ? '+' : ''}${formatCount(rating)}`,
  vote: { positive: 'Vote: harmless', negative: 'Vote: malicious' },
  noVotes: 'No votes yet.',
  positive: 'harmless',
  negative: 'malicious',
  tags: 'Tags',
  noTags: 'No tags yet.',
  addTag: 'Add tag',
  add: 'Add',
  removeTag: (tag: string) => `Remove tag ${tag}`,
  earlier: 'Show earlier',
};

export const toldTexts = {
  title: 'From other workstations',
  kinds: { verdict: 'verdict', comment: 'comment', code: 'name in code', dismissal: 'dismissed', match: 'rules match' },
  brought: (analyst: string, when: string) => `brought by ${analyst} ${when}`,
};
