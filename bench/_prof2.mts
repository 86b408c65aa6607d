const root = '/tmp/trees/guard/';
const { findPii } = await import(root + 'server/src/privacy/index.ts');
const { normalise } = await import(root + 'server/src/privacy/normalise.ts');
const { requestBody } = await import(root + 'bench/gateway/payload.ts');
const { ordinarySentences } = await import(root + 'bench/privacy/ordinary.ts');
const { labelledSentences } = await import(root + 'bench/privacy/sentences.ts');
const { piiTypes } = await import('@ai-studio/contract/utilities/privacy.ts');
const R = root + 'server/src/privacy/recognisers/';
const im = async (f: string) => await import(R + f);
const { digitGroups } = await import(root + 'server/src/privacy/numbers.ts');
const A: any = {};
const { findPassports } = await im('passport.ts');
const { findPhones } = await im('phone.ts');
const { findEmails } = await im('email.ts');
const { findPostalAddresses } = await im('address.ts');
const { findPeople } = await im('person.ts');
const { findPlates } = await im('vehicle-plate.ts');
const { findAddresses, findMacs } = await im('network.ts');
const { findIbans } = await im('iban.ts');
const { findWallets } = await im('wallet.ts');
const { findSecrets } = await im('secret.ts');
const { findOldLicenses } = await im('driver-license.ts');
const { findPlacedNames } = await im('placed-names.ts');
const { findNameColumns } = await im('name-columns.ts');
const { recognise } = await im('index.ts');
const body = JSON.parse(requestBody(4000, { model: 'x', stream: false, seed: 1 }).toString());
const texts: any = {
  payload: body.messages.map((m: any) => m.content),
  ordinary: [ordinarySentences(3, 60).join('\n').slice(0, 1900)],
  labelled: [
    labelledSentences(3, 10)
      .map((x: any) => x.text)
      .join('\n')
      .slice(0, 1900),
  ],
  english: [
    'The quick brown Fox jumps over the lazy dog in 2024 while Version 3.2 is being prepared by the team. We then ask: what is the best way to proceed? '
      .repeat(28)
      .slice(0, 4000),
  ],
};
const none = () => {};
const fs: any = {
  default: (t: string) => findPii(t),
  all: (t: string) => findPii(t, { types: piiTypes }),
  normalise,
  groups: digitGroups,
  scanOnly: (t: string) => recognise(t, new Set(), 'auto', none),
  passports: (t: string) => findPassports(t, none),
  oldlic: (t: string) => findOldLicenses(t, none),
  phones: (t: string) => findPhones(t, digitGroups(t), none),
  emails: (t: string) => findEmails(t, none),
  addrko: (t: string) => findPostalAddresses(t, digitGroups(t), 'ko', none),
  addren: (t: string) => findPostalAddresses(t, digitGroups(t), 'en', none),
  pplko: (t: string) => findPeople(t, 'ko', none),
  pplen: (t: string) => findPeople(t, 'en', none),
  placed: (t: string) => findPlacedNames(t, () => false, none),
  cols: (t: string) => findNameColumns(t, () => false, none),
  plates: (t: string) => findPlates(t, none),
  ip: (t: string) => findAddresses(t, none),
  mac: (t: string) => findMacs(t, none),
  iban: (t: string) => findIbans(t, none),
  wallet: (t: string) => findWallets(t, none),
  secret: (t: string) => findSecrets(t, none),
};
const out: any = {};
for (const [fn, f] of Object.entries(fs) as any) {
  out[fn] = {};
  for (const [n, list] of Object.entries(texts) as any) {
    const N = 300;
    for (let i = 0; i < 60; i++) for (const t of list) f(t);
    const b = process.cpuUsage();
    for (let i = 0; i < N; i++) for (const t of list) f(t);
    const e = process.cpuUsage(b);
    out[fn][n] = +((e.user + e.system) / N).toFixed(0);
  }
}
console.table(out);
