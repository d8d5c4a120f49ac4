// English texts of this room. Knows nothing of where they are shown.
import { formatCount } from '../../../components/text/counted.ts';

export const communityTexts = {
  detections: 'Detections',
  noDetections: 'Nothing counts as a detection.',
  votes: 'Votes',
  rating: (rating: number) => `Rating ${rating > 0 ? '+' : ''}${formatCount(rating)}`,
  voteUp: 'Vote: harmless',
  voteDown: 'Vote: harmful',
  noVotes: 'Nobody has voted yet.',
  positive: 'harmless',
  negative: 'harmful',
  tags: 'Tags',
  noTags: 'No tag yet.',
  addTag: 'Add a tag',
  add: 'Add',
  removeTag: (tag: string) => `Remove the tag ${tag}`,
  earlier: 'Show earlier ones',
};
