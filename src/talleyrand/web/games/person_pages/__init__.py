"""What a person lets others see of the games they have played."""
