// English texts of this room. Knows nothing of where they are shown.

export const indicatorsTexts = {
  kindChoice: 'Kind of indicator',
  kinds: { urls: 'URLs', domains: 'Domains', ips: 'IP addresses', emails: 'E-mail addresses', strings: 'Strings' },
  none: 'None found',
  inCode: 'Search them in the code',
};
