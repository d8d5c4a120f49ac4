// English texts of this room. Knows nothing of where they are shown.

export const indicatorsTexts = {
  kindChoice: 'Kind of indicator',
  kinds: { urls: 'URLs', domains: 'Domains', ips: 'IP addresses', emails: 'E-mail', strings: 'Strings' },
  none: 'None were found',
  inCode: 'Search them with their uses in the code',
};
