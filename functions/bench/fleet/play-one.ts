import { type FleetPlan, playFleet } from './fleet';

/** Plays the fleet that `FLEET` describes as JSON, and prints what came of it. */
async function play(): Promise<void> {
  const plan = JSON.parse(process.env['FLEET'] ?? '') as FleetPlan;
  console.log(JSON.stringify(await playFleet(plan)));
}

void play();
