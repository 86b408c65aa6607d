import type { SetDocument } from '../set.ts';

/** Documents of an airline, a gym, a town and others, in English. */
export const englishDocuments: readonly SetDocument[] = [
  {
    name: 'baggage-rules.pdf',
    text: `# Baggage rules of Northwind Air
Every passenger may take one cabin bag of up to 8 kg free of charge.
The first checked bag may weigh 23 kg. Each kilogram above that costs 12 euros.
Musical instruments travel as cabin baggage if they are no longer than 80 cm.
Power banks must not be put into checked bags.
Report a damaged bag at the airport within 7 days of arrival.
Pets under 6 kg may travel in the cabin; the fee is 55 euros for each flight.`,
  },
  {
    name: 'lease.docx',
    text: `# Residential lease
This lease is made between Harbour Homes Ltd (the landlord) and Priya Nair (the tenant).
## 1. Premises
The landlord lets to the tenant flat 14B, 9 Quay Street, Bristol.
## 2. Term
The lease begins on 1 September 2025 and runs for 18 months.
## 3. Rent
The rent is 1,150 pounds a month and is due on the third day of each month.
A late payment is charged with 25 pounds.
## 4. Deposit
The tenant pays a deposit of 1,725 pounds, which is returned within 10 days after moving out.
## 5. Pets
Pets are not allowed without the written consent of the landlord.
## 6. Repairs
The landlord repairs the boiler and the roof. The tenant replaces light bulbs and batteries.`,
  },
  {
    name: 'gym-membership.xlsx',
    text: `| Membership | Monthly fee | Guest passes | Opening hours |
|---|---|---|---|
| Student | 19 USD | 0 | 06:00-16:00 |
| Standard | 35 USD | 1 | 06:00-22:00 |
| Gold | 59 USD | 4 | 24 hours |
| Family | 89 USD | 2 | 06:00-22:00 |`,
  },
  {
    name: 'incident-report.pdf',
    text: `# Incident report 2291
On 14 October 2025 the payment gateway was unavailable for 47 minutes.
The cause was an expired certificate on the load balancer in Frankfurt.
Tomasz Zielinski from the network team renewed the certificate at 09:32.
About 3,800 orders were delayed, and none was lost.
To keep this from happening again, certificates are now checked every morning.`,
  },
  {
    name: 'town-council.docx',
    text: `# Minutes of the town council
Present: Mayor Eleanor Hughes, councillors Okafor, Lindqvist and Brown.
## Playground
The council approved 86,000 dollars for the new playground at Mill Park. Work starts in April.
## Parking
Parking on Main Street is limited to 90 minutes from 1 July. Residents can get a permit for 40 dollars a year.
## Library
The library will stay open until 8 pm on Thursdays.
## Next meeting
The next meeting is on 12 March at the Old Mill Hall.`,
  },
  {
    name: 'laboratory-safety.md',
    text: `# Laboratory safety
## Clothing
Wear goggles and a buttoned coat. Open shoes and shorts are forbidden.
## Chemicals
Acids are kept in the yellow cabinet beside the fume hood. Solvents go into the red cabinet.
## Accidents
If a chemical gets into the eyes, rinse them with water for at least 15 minutes and call extension 333.
Fire extinguishers hang next to both doors and are inspected twice a year.
## Waste
Broken glass goes into the blue bin, never into the paper bin. The bins are emptied on Fridays.`,
  },
  {
    name: 'quarterly-results.xlsx',
    text: `| Region | Revenue | Growth | Employees |
|---|---|---|---|
| Nordics | 14.2 million | 6% | 118 |
| Iberia | 9.7 million | 11% | 86 |
| Benelux | 21.5 million | 3% | 204 |
| Baltics | 4.1 million | 18% | 39 |`,
  },
  {
    name: 'coffee-machine.pdf',
    text: `# Coffee machine CM-40
The water tank holds 1.8 litres and the bean container 250 grams.
Descale the machine every three months or after 200 cups.
The display shows E5 when the drip tray is missing.
To make the coffee stronger, turn the left dial clockwise.
Spare parts are sold for ten years after the last machine was made.
The warranty covers the pump for three years and everything else for two.`,
  },
  {
    name: 'conference.html',
    text: `# RiverConf 2026
RiverConf takes place from 3 to 5 June 2026 at the Danube Center in Vienna.
Early tickets cost 290 euros until 31 January; after that the price is 380 euros.
The keynote is given by Dr. Amara Singh, who leads the hydrology group at Delta University.
Proposals for talks are accepted until 15 February and may be 25 minutes long.
Sign language interpreters are present in all rooms.
Lunch is included in the ticket, but the boat tour on the last evening costs 35 euros extra.`,
  },
  {
    name: 'onboarding.pptx',
    text: `# Your first week
On Monday you get your laptop from the service desk on floor 2.
Your mentor shows you the code review process on Tuesday.
Expenses are handed in by the 25th of each month; Ingrid Solberg in finance approves them.
You may work from home three days a week after the first month.
Every employee has a learning budget of 1,200 dollars a year.`,
  },
  {
    name: 'recipe.txt',
    text: `Lentil soup for four
Rinse 300 grams of red lentils and chop two onions.
Fry the onions in olive oil for 5 minutes, then add the lentils and 1.2 litres of stock.
Let the soup simmer for 25 minutes and season it with cumin and lemon juice.
It keeps in the refrigerator for three days and can be frozen.`,
  },
  {
    name: 'api-limits.md',
    text: `# Limits of the weather service
| Plan | Requests a day | History | Support |
|---|---|---|---|
| Free | 500 | 7 days | forum |
| Pro | 50,000 | 2 years | e-mail |
| Enterprise | unlimited | 40 years | telephone |

Keys that have not been used for 180 days are deleted.
Responses are compressed when the client asks for gzip.
The service reports temperatures in kelvin unless units=metric is given.`,
  },
  {
    name: 'museum-loan.docx',
    text: `# Loan agreement
The Alder Museum lends the painting "Winter Harbour" by Josef Brandt to the City Gallery of Gent.
The painting is insured for 2.4 million euros.
It must hang at least 3 metres from any window, at a humidity between 45 and 55 percent.
The loan ends on 30 November 2026.
The borrower pays for transport, which is done by Kestrel Art Movers.`,
  },
  {
    name: 'ferry-timetable.csv',
    text: `| Ferry | From | Departs | Arrives | Days |
|---|---|---|---|---|
| Aurora | Oban | 07:15 | 09:50 | daily |
| Gannet | Ullapool | 10:30 | 13:15 | weekdays |
| Puffin | Mallaig | 16:40 | 17:15 | Saturdays |`,
  },
];
