import type { FindingType, PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import type { Report } from '../finding.ts';
import { type Groups, type NumberRule, createNumberScanner } from '../numbers.ts';
import { type Survey, survey } from '../survey.ts';
import { findPostalAddresses } from './address.ts';
import { bankAccounts } from './bank-account.ts';
import { cards, devices } from './card.ts';
import { companyNumbers, insuredNumbers } from './company.ts';
import { driverLicenses, findOldLicenses } from './driver-license.ts';
import { findEmails } from './email.ts';
import { findIbans } from './iban.ts';
import { findAddresses, findMacs } from './network.ts';
import { findPassports } from './passport.ts';
import { findPeople } from './person.ts';
import { findPhones } from './phone.ts';
import { residentNumbers } from './resident.ts';
import { findSecrets } from './secret.ts';
import { findPlates } from './vehicle-plate.ts';
import { findWallets } from './wallet.ts';
import * as mayHold from './may-hold.ts';

export type Language = 'auto' | 'ko' | 'en';

/** A normalised text, and what the recognisers share. */
interface Reading {
  readonly text: string;
  readonly groups: Groups;
  readonly language: Language;
}

/** Recognises one family of values. */
interface Recogniser {
  /** Its name in replies. */
  readonly name: string;
  readonly types: readonly PiiType[];
  /** Numbers of this family; one scan finds those of all families. */
  readonly numbers?: readonly NumberRule[];
  /** Finds values that are no numbers. */
  readonly find?: (reading: Reading, report: Report) => void;
  /** Whether a text may hold such values, by what is known of it; `find` finds nothing in any other. */
  readonly mayHold?: (seen: Survey, text: string) => boolean;
  /** Whether it runs even when its types are not requested: so a phone number is not mistaken for an account. */
  readonly runsAlways?: boolean;
}

const recognisers: readonly Recogniser[] = [
  { name: 'resident_number', types: ['RRN', 'FRR'], numbers: residentNumbers },
  {
    name: 'driver_license',
    types: ['DRIVER_LICENSE'],
    numbers: [driverLicenses],
    find: ({ text }, report) => findOldLicenses(text, report),
    mayHold: mayHold.oldLicenses,
  },
  {
    name: 'passport',
    types: ['PASSPORT'],
    find: ({ text }, report) => findPassports(text, report),
    mayHold: mayHold.passports,
  },
  { name: 'bank_account', types: ['BANK_ACCOUNT'], numbers: [bankAccounts] },
  { name: 'credit_card', types: ['CREDIT_CARD'], numbers: [cards] },
  {
    name: 'phone',
    types: ['PHONE'],
    find: ({ text, groups }, report) => findPhones(text, groups, report),
    mayHold: mayHold.numbers,
    runsAlways: true,
  },
  { name: 'email', types: ['EMAIL'], find: ({ text }, report) => findEmails(text, report), mayHold: mayHold.emails },
  {
    name: 'address_rules',
    types: ['ADDRESS'],
    find: ({ text, groups, language }, report) => findPostalAddresses(text, groups, language, report),
    mayHold: mayHold.numbers,
  },
  {
    name: 'person_rules',
    types: ['PERSON'],
    find: ({ text, language }, report) => findPeople(text, language, report),
  },
  { name: 'company_number', types: ['BUSINESS_NUMBER', 'CORPORATE_NUMBER'], numbers: companyNumbers },
  { name: 'insured_number', types: ['HEALTH_INSURANCE', 'SSN'], numbers: insuredNumbers },
  {
    name: 'vehicle_plate',
    types: ['VEHICLE_PLATE'],
    find: ({ text }, report) => findPlates(text, report),
    mayHold: mayHold.plates,
  },
  {
    name: 'ip_address',
    types: ['IP'],
    find: ({ text }, report) => findAddresses(text, report),
    mayHold: mayHold.ipAddresses,
  },
  { name: 'mac_address', types: ['MAC'], find: ({ text }, report) => findMacs(text, report), mayHold: mayHold.macs },
  { name: 'iban', types: ['IBAN'], find: ({ text }, report) => findIbans(text, report), mayHold: mayHold.ibans },
  { name: 'imei', types: ['IMEI'], numbers: [devices] },
  {
    name: 'crypto_wallet',
    types: ['CRYPTO_WALLET'],
    find: ({ text }, report) => findWallets(text, report),
    mayHold: mayHold.wallets,
  },
  { name: 'secret', types: ['SECRET'], find: ({ text }, report) => findSecrets(text, report) },
];

const isWanted = ({ types }: Recogniser, wanted: ReadonlySet<PiiType>) => types.some((type) => wanted.has(type));

/** Names of the recognisers that look for these types. */
export const recogniserNames = (wanted: ReadonlySet<PiiType>): string[] =>
  recognisers.filter((recogniser) => isWanted(recogniser, wanted)).map(({ name }) => name);

/** Name of the recogniser that finds values of a type. */
export const recogniserOf = (type: FindingType): string =>
  recognisers.find(({ types }) => (types as readonly FindingType[]).includes(type))?.name ?? 'deny_list';

// The scan covers all families, whatever is requested, so that a number of one is not mistaken for one of another.
const scan = createNumberScanner(recognisers.flatMap(({ numbers = [] }) => numbers));

/** Recognisers by what is wanted; a policy asks for the same with each text. */
const chosenFor = new WeakMap<ReadonlySet<PiiType>, readonly Recogniser[]>();

function choose(wanted: ReadonlySet<PiiType>): readonly Recogniser[] {
  const known = chosenFor.get(wanted);
  if (known) return known;
  const chosen = recognisers.filter((one) => one.find && (one.runsAlways || isWanted(one, wanted)));
  chosenFor.set(wanted, chosen);
  return chosen;
}

/**
 * Reports what the recognisers of these types find in a normalised text, and numbers of other types. With `thorough`, also recognisers
 * look that can't find anything by what was seen of the text; for tests.
 */
export function recognise(
  text: string,
  wanted: ReadonlySet<PiiType>,
  language: Language,
  report: Report,
  seen: Survey = survey(text),
  thorough = false,
): void {
  const { groups } = seen;
  scan(text, groups, (candidate, rule) => {
    const score = rule.score(candidate);
    if (score > 0) report(rule.type, candidate.start, candidate.end, score);
  });
  const reading = { text, groups, language };
  for (const { find, mayHold: may } of choose(wanted)) if (thorough || !may || may(seen, text)) find?.(reading, report);
}
