// Where the functions run: `REGION`, else beside the database. It is kept: functions that change their region are made a
// second time.
import { settingsOf } from './deploy-settings.mjs';

/** Regions of functions beside databases that are kept in several. */
const BESIDE = { nam5: 'us-central1', nam7: 'us-central1', eur3: 'europe-west1' };

/** The region, or the sentence that says why there is none. */
export function chooseRegion({ folder, project, wanted, databaseLocation }) {
  const kept = settingsOf(folder, project).REGION;
  if (wanted && kept && wanted !== kept) {
    return {
      problem: `REGION is ${wanted}, but functions/.env.${project} or functions/.env says ${kept}: change it there. The functions in ${kept} stay until you delete them: npm run firebase -- functions:delete api sweep reconcile --region ${kept} --project ${project}`,
    };
  }
  const region = wanted || kept || (BESIDE[databaseLocation] ?? databaseLocation);
  if (!/^[a-z]+-[a-z]+\d+$/.test(region))
    return { problem: `REGION must be a region such as us-central1, not "${region}"` };
  return { region, isKept: Boolean(kept) };
}
